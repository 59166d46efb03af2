import { isJsonObject, type JsonValue, type Tool } from "@longhaul/conversation";
import type { EncodeOptions } from "../codec/rules.ts";
import type { Steps } from "../codec/stepper.ts";
import { objectSchema } from "../content/tool-input.ts";
import { defined, extraOf, nonEmptyString, optionalString, readObject, readSteps, readString } from "../fields/json.ts";
import { decodeCache } from "./decode-message.ts";
import { encodeCache } from "./encode-message.ts";
import { WIRE } from "./rules.ts";

export function toolSteps(tools: JsonValue | undefined): Steps<readonly Tool[]> {
  return readSteps(tools ?? [], "tools", decodeTool);
}

function decodeTool(value: JsonValue, path: string): Tool {
  const tool = readObject(value, path);
  const native = { wire: WIRE, value };
  const cache = decodeCache(tool.cache_control);
  if (typeof tool.type === "string" && tool.type !== "custom") {
    const name = optionalString(tool.name) ?? tool.type;
    return defined({ name, kind: "server" as const, cache, native });
  }
  return defined({
    name: readString(tool.name, `${path}.name`),
    kind: "function" as const,
    description: nonEmptyString(tool.description),
    inputSchema: isJsonObject(tool.input_schema) ? tool.input_schema : undefined,
    cache,
    native,
    extra: extraOf(tool, TOOL_FIELDS),
  });
}

const TOOL_FIELDS: ReadonlySet<string> = new Set(["type", "name", "description", "input_schema", "cache_control"]);

const NO_INPUT = { type: "object", properties: {} };

/** Encodes a tool. An unchanged tool is written as received. */
export function encodeTool(tool: Tool, options: EncodeOptions): JsonValue {
  if (tool.native?.wire === WIRE) return tool.native.value;
  const { name, description, inputSchema, cache, extra } = tool;
  return {
    name,
    ...defined({ description }),
    input_schema: inputSchema === undefined ? NO_INPUT : objectSchema(inputSchema),
    ...encodeCache(cache),
    ...(options.extras ? extra : undefined),
  };
}
