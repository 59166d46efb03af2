import { isJsonObject, type JsonObject, type JsonValue, type Native, type Tool } from "@longhaul/conversation/advanced";
import type { EncodeOptions } from "../codec/rules.ts";
import { finish, type Steps } from "../codec/stepper.ts";
import {
  defined,
  extraOf,
  fieldOf,
  listIn,
  nonEmptyString,
  optionalString,
  readObject,
  readSteps,
  readString,
} from "../fields/json.ts";
import { joinName, WIRE } from "./rules.ts";

/** Decodes the `tools` of a request or of an item. Each tool of a namespace keeps the whole namespace as its native value. */
export function* toolSteps(tools: JsonValue | undefined, path = "tools"): Steps<readonly Tool[]> {
  const decoded = yield* readSteps(tools ?? [], path, (value, place) => {
    const tool = readObject(value, place);
    const native = { wire: WIRE, value };
    const inner = tool.type === "namespace" ? decodeNamespace(tool, native, place) : [];
    return inner.length > 0 ? inner : [decodeTool(tool, native, place)];
  });
  return decoded.flat();
}

/** Decodes a namespace. Its description goes to its first tool, because other formats have no namespaces. */
function decodeNamespace(space: JsonObject, native: Native, path: string): readonly Tool[] {
  const own = finish(toolSteps(space.tools, `${path}.tools`)).filter(({ kind }) => kind !== "server");
  const about = optionalString(space.description) ?? "";
  return own.map((tool, index) => {
    const { description = "" } = tool;
    const joined = index === 0 ? [about, description].filter((text) => text !== "").join("\n\n") : description;
    return { ...tool, name: joinName(tool.name, space.name), native, ...(joined !== "" && { description: joined }) };
  });
}

/** The input item that adds tools. Codex sends it to newer models. */
export const TOOLS_ITEM = "additional_tools";

/** Returns the tools that input items add. */
export function toolsInItems(items: readonly JsonValue[]): readonly JsonValue[] {
  return items.flatMap((item) => (fieldOf(item, "type") === TOOLS_ITEM ? listIn(fieldOf(item, "tools")) : []));
}

function decodeTool(tool: JsonObject, native: Native, path: string): Tool {
  if (tool.type !== "function" && tool.type !== "custom") {
    const name =
      optionalString(tool.name) ?? optionalString(tool.server_label) ?? readString(tool.type, `${path}.type`);
    return { name, kind: "server", native };
  }
  return defined({
    name: readString(tool.name, `${path}.name`),
    kind: tool.type,
    description: nonEmptyString(tool.description),
    inputSchema: isJsonObject(tool.parameters) ? tool.parameters : undefined,
    native,
    extra: extraOf(tool, TOOL_FIELDS),
  });
}

const TOOL_FIELDS: ReadonlySet<string> = new Set(["type", "name", "description", "parameters"]);

/** Encodes tools, except those that the input adds itself. The tools of a namespace become one entry. */
export function encodeTools(
  tools: readonly Tool[],
  items: readonly JsonValue[],
  options: EncodeOptions,
): readonly JsonValue[] {
  const brought = new Set(toolsInItems(items));
  const written = tools.map((tool) => encodeTool(tool, options));
  const spaces = new Set(written.filter((tool) => fieldOf(tool, "type") === "namespace"));
  const isFirst = (tool: JsonValue) => fieldOf(tool, "type") !== "namespace" || spaces.delete(tool);
  return written.filter((tool) => !brought.has(tool) && isFirst(tool));
}

/** Encodes a tool. An unchanged tool is written as received. */
export function encodeTool(tool: Tool, options: EncodeOptions): JsonValue {
  if (tool.native?.wire === WIRE) return tool.native.value;
  const { kind, name, description, inputSchema } = tool;
  const extra = options.extras ? tool.extra : undefined;
  if (kind === "custom") return { type: "custom", name, ...defined({ description }), ...extra };
  const parameters = inputSchema ?? { type: "object", properties: {} };
  // If omitted, `strict` defaults to true, which most schemas do not satisfy.
  return { type: "function", name, ...defined({ description }), parameters, strict: false, ...extra };
}
