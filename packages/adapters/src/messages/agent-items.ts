import { isRecord } from "../translate.ts";

type Item = Readonly<Record<string, unknown>>;

/** Whether a value is an item that only the OpenAI Agents SDK has: a call, or the result of one, with `callId`, or a hosted tool's call. */
export function isAgentItem(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return value.type === "hosted_tool_call" || (typeof value.callId === "string" && CALL_TYPES.has(value.type));
}

/** Types with `callId` where the Responses API has `call_id`. */
const CALL_TYPES: ReadonlySet<unknown> = new Set([
  "function_call",
  "function_call_result",
  "computer_call",
  "computer_call_result",
  "shell_call",
  "shell_call_output",
  "apply_patch_call",
  "apply_patch_call_output",
  "tool_search_call",
  "tool_search_output",
  "program",
  "program_output",
]);

/** Returns an item of the Agents SDK as an item of the Responses API. Items of other types stay as they are. */
export function toResponsesItem(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { callId: call_id, output, content, providerData, ...rest } = item;
  switch (item.type) {
    case "computer_call_result":
      return { ...rest, type: "computer_call_output", call_id, output: screenshotOf(output) };
    case "hosted_tool_call":
      return approvalOf(rest, isRecord(providerData) ? providerData : {}) ?? item;
    case "function_call_result":
      return { ...rest, type: "function_call_output", call_id, output: outputOf(output) };
    case "reasoning":
      return { ...rest, summary: partsOf(content).map((part) => ({ ...part, type: "summary_text" })) };
    case "message":
    case undefined:
      return { ...rest, content: Array.isArray(content) ? partsOf(content) : content };
    default:
      if (!isAgentItem(item)) return item;
      return { ...rest, ...(output !== undefined && { output }), call_id };
  }
}

function screenshotOf(output: unknown): Item {
  const { data, providerData: _, ...rest } = isRecord(output) ? output : {};
  return { ...rest, type: "computer_screenshot", image_url: data };
}

/** Requests and answers about a hosted MCP tool's call have the vendor's item in `providerData`. */
function approvalOf({ id, name, caller: _, status: _status, ...rest }: Item, data: Item): Item | undefined {
  if (name === "mcp_approval_response") return { ...data, type: name };
  const isRequest = name === "mcp_approval_request" || data.type === "mcp_approval_request";
  return isRequest ? { id, ...rest, ...data, type: "mcp_approval_request" } : undefined;
}

/** A result is a text, one part, or a list of parts. */
function outputOf(output: unknown): unknown {
  if (typeof output === "string") return output;
  return partsOf(Array.isArray(output) ? output : [output]);
}

function partsOf(parts: unknown): Item[] {
  return Array.isArray(parts) ? parts.filter(isRecord).map(toResponsesPart) : [];
}

function toResponsesPart({ providerData: _, ...part }: Item): Item {
  const { type, image, file, ...rest } = part;
  if (type === "text") return { ...rest, type: "input_text" };
  if (type === "image" || type === "input_image") return { ...rest, type: "input_image", ...sourceOf("image", image) };
  if (type === "file" || type === "input_file") return { ...rest, type: "input_file", ...sourceOf("file", file) };
  return part;
}

/** Returns where the data of an image or a file is, as the Responses API names it. */
function sourceOf(kind: "image" | "file", source: unknown): Item {
  const {
    id,
    fileId = id,
    url,
    data,
    mediaType = "application/octet-stream",
  } = isRecord(source) ? source : { url: source };
  if (fileId !== undefined) return { file_id: fileId };
  const inline = typeof data === "string" ? `data:${mediaType};base64,${data}` : undefined;
  if (kind === "image") return { image_url: url ?? inline ?? "" };
  return typeof url === "string" && !url.startsWith("data:") ? { file_url: url } : { file_data: url ?? inline ?? "" };
}

/** Returns an item that was written for the Responses API as an item of the Agents SDK. `original` is the item that it replaces, if any. */
export function toAgentItem(item: unknown, original: unknown): unknown {
  if (!isRecord(item)) return item;
  const { call_id: callId, ...rest } = item;
  const known = isRecord(original) && original.callId === callId ? original : {};
  switch (item.type) {
    case "function_call":
      return { ...known, ...rest, callId };
    case "function_call_output":
      return { name: "", status: "completed", ...known, type: "function_call_result", callId, output: item.output };
    case "message":
    case undefined:
      return { ...rest, type: "message", ...(item.role === "assistant" && assistantFields(item)) };
    default:
      return item;
  }
}

/** The SDK requires a status and a list of parts. */
function assistantFields({ content }: Item): Item {
  return {
    status: "completed",
    content: typeof content === "string" ? [{ type: "output_text", text: content }] : content,
  };
}
