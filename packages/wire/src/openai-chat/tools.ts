import { isJsonObject, type JsonObject, type JsonValue, type Tool } from "@longhaul/conversation";
import type { EncodeOptions } from "../codec/rules.ts";
import type { Steps } from "../codec/stepper.ts";
import { defined, extraOf, nonEmptyString, optionalString, readObject, readSteps, readString } from "../fields/json.ts";
import { WIRE } from "./rules.ts";

export function toolSteps(tools: JsonValue | undefined): Steps<readonly Tool[]> {
  return readSteps(tools ?? [], "tools", decodeTool);
}

function decodeTool(value: JsonValue, path: string): Tool {
  const tool = readObject(value, path);
  const native = { wire: WIRE, value };
  const kind = tool.type === "custom" ? "custom" : "function";
  const inner = tool[kind];
  // Moonshot's own tools differ from functions only in their type.
  const isServers = tool.type !== undefined && tool.type !== kind;
  if (isServers || !isJsonObject(inner)) {
    return { name: optionalString(tool.type) ?? "tool", kind: "server", native };
  }
  return defined({
    name: readString(inner.name, `${path}.${kind}.name`),
    kind,
    description: nonEmptyString(inner.description),
    inputSchema: isJsonObject(inner.parameters) ? inner.parameters : undefined,
    native,
    extra: extraOf(inner, TOOL_FIELDS),
  });
}

const TOOL_FIELDS: ReadonlySet<string> = new Set(["name", "description", "parameters"]);

/** Encodes a tool. An unchanged tool is written as received. */
export function encodeTool(tool: Tool, options: EncodeOptions): JsonValue {
  if (tool.native?.wire === WIRE) return tool.native.value;
  const { kind, name, description, inputSchema } = tool;
  const extra: JsonObject = (options.extras ? tool.extra : undefined) ?? {};
  if (kind === "custom") return { type: "custom", custom: { name, ...defined({ description }), ...extra } };
  return { type: "function", function: { name, ...defined({ description, parameters: inputSchema }), ...extra } };
}
