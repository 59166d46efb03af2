import { isJsonObject, type JsonValue, type Tool } from "@longhaul/conversation";
import type { Audience } from "../audience.ts";
import { given } from "../given.ts";
import { extraOf, optionalString, readList, readObject, readString } from "../read.ts";
import { WIRE } from "./rules.ts";

/** Reads the `tools` of a request. */
export function decodeTools(tools: JsonValue | undefined): readonly Tool[] {
  if (tools === undefined || tools === null) return [];
  return readList(tools, "tools").map((tool, index) => decodeTool(tool, `tools[${index}]`));
}

function decodeTool(value: JsonValue, path: string): Tool {
  const tool = readObject(value, path);
  const native = { wire: WIRE, value };
  if (tool.type !== "function" && tool.type !== "custom") {
    const name =
      optionalString(tool.name) ?? optionalString(tool.server_label) ?? readString(tool.type, `${path}.type`);
    return { name, kind: "server", native };
  }
  return given({
    name: readString(tool.name, `${path}.name`),
    kind: tool.type,
    description: optionalString(tool.description),
    inputSchema: isJsonObject(tool.parameters) ? tool.parameters : undefined,
    native,
    extra: extraOf(tool, TOOL_FIELDS),
  });
}

const TOOL_FIELDS: ReadonlySet<string> = new Set(["type", "name", "description", "parameters"]);

/** Writes one tool; one that nobody changed is written as it came. */
export function encodeTool(tool: Tool, audience: Audience): JsonValue {
  if (tool.native?.wire === WIRE) return tool.native.value;
  const { kind, name, description, inputSchema } = tool;
  const extra = audience.extras ? tool.extra : undefined;
  if (kind === "custom") return { type: "custom", name, ...given({ description }), ...extra };
  const parameters = inputSchema ?? { type: "object", properties: {} };
  // Left out, strictness would be on, and most schemas are not made for it.
  return { type: "function", name, ...given({ description }), parameters, strict: false, ...extra };
}
