import {
  type Block,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  type Message,
  type Native,
  type OpaquePair,
  type ResultBlock,
  type Role,
  sourceOfUrl,
} from "@longhaul/conversation/advanced";
import { readSignature } from "../content/signature.ts";
import { parseInput } from "../content/tool-input.ts";
import {
  defined,
  extraOf,
  fieldOf,
  listIn,
  malformed,
  nativeText,
  optionalString,
  readObject,
  readString,
} from "../fields/json.ts";
import { decodeDetailLevel, decodeMark } from "../openai/shape.ts";
import { calledName, VENDOR, WIRE } from "./rules.ts";
import { TOOLS_ITEM } from "./tools.ts";

/** Decodes one item of `input`. */
export function decodeMessage(value: JsonValue, path = "item"): Message {
  const item = readObject(value, path);
  if (item.type === undefined || item.type === "message") return decodeMessageItem(item, { wire: WIRE, value }, path);
  const block = decodeItem(value, path);
  return defined({ role: roleOf(item), blocks: [block], native: block.native });
}

function decodeMessageItem(item: JsonObject, native: Native, path: string): Message {
  const { role } = item;
  if (role !== "user" && role !== "assistant" && role !== "system" && role !== "developer") {
    throw malformed(`${path}.role`, '"user", "assistant", "system" or "developer"', role);
  }
  const blocks = decodeContent(item.content, `${path}.content`);
  // `developer` is kept as an extra field, so that the role is written back as received.
  const extra = extraOf(item, role === "developer" ? DEVELOPER_MESSAGE : MESSAGE);
  return defined({ role: role === "developer" ? "system" : role, blocks, native, extra });
}

const MESSAGE: ReadonlySet<string> = new Set(["type", "role", "content"]);
const DEVELOPER_MESSAGE: ReadonlySet<string> = new Set(["type", "content"]);

/** Types of items that the client sends. All others are the model's or the server's. */
const CLIENT_ITEMS = /_output$|_response$|^item_reference$|^compaction_trigger$|^configuration_update$/;

function roleOf({ type }: JsonObject): Role {
  if (type === TOOLS_ITEM) return "system";
  return typeof type === "string" && CLIENT_ITEMS.test(type) ? "user" : "assistant";
}

/** Decodes the content of a message: a string, or parts. */
function decodeContent(content: JsonValue | undefined, path: string): readonly ResultBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [nativeText(WIRE, content)];
  if (isJsonArray(content)) return content.map((part, index) => decodePart(part, `${path}[${index}]`));
  throw malformed(path, "a string or an array of parts", content);
}

function decodePart(value: JsonValue, path: string): ResultBlock {
  const part = readObject(value, path);
  const kind = readString(part.type, `${path}.type`);
  const shared = defined({ native: { wire: WIRE, value }, cache: decodeMark(part) });
  switch (kind) {
    case "input_text":
    case "output_text": {
      const extra = extraOf(part, TEXT);
      return { type: "text", text: readString(part.text, `${path}.text`), ...shared, ...defined({ extra }) };
    }
    case "refusal":
      return { type: "text", text: readString(part.refusal, `${path}.refusal`), ...shared };
    case "input_image": {
      const source = decodeSource(part.image_url, part.file_id);
      if (source === undefined) return { type: "opaque", kind, ...shared };
      return { type: "image", source, ...shared, ...decodeDetailLevel(part.detail) };
    }
    case "input_file": {
      const source = decodeSource(part.file_data ?? part.file_url, part.file_id);
      if (source === undefined) return { type: "opaque", kind, ...shared };
      return { type: "document", source, ...shared, ...defined({ title: optionalString(part.filename) }) };
    }
    default:
      return { type: "opaque", kind, ...shared };
  }
}

const TEXT: ReadonlySet<string> = new Set(["type", "text", "cache_control", "prompt_cache_breakpoint"]);

function decodeSource(url: JsonValue | undefined, id: JsonValue | undefined) {
  if (typeof url === "string") return sourceOfUrl(url);
  return typeof id === "string" ? { kind: "file" as const, id } : undefined;
}

/** Decodes an item that is not a message. Encrypted reasoning without a tag belongs to `vendor`. */
export function decodeItem(value: JsonValue, path: string, vendor = VENDOR): Block {
  const item = readObject(value, path);
  const native = { wire: WIRE, value };
  switch (item.type) {
    case "function_call": {
      const input = parseInput(optionalString(item.arguments) ?? "");
      const freeText = typeof input === "string" ? false : undefined;
      return defined({ ...callOf(item, path), input, freeText, native, extra: extraOf(item, CALL) });
    }
    case "custom_tool_call": {
      if (isServerCall(item)) return { type: "opaque", kind: item.type, native };
      const input = optionalString(item.input) ?? "";
      return defined({ ...callOf(item, path), input, native, extra: extraOf(item, CALL) });
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const callId = readString(item.call_id, `${path}.call_id`);
      const content = item.output === "" ? [] : decodeContent(item.output, `${path}.output`);
      const own = optionalString(item.name);
      const name = own === undefined ? undefined : calledName(own, item.namespace);
      const extra = extraOf(item, OUTPUT);
      return defined({ type: "tool-result", callId, name, content, isError: false, native, extra });
    }
    case "reasoning":
      return decodeReasoning(item, native, vendor);
    case "compaction": {
      const encrypted = optionalString(item.encrypted_content);
      return defined({ type: "compaction", text: null, encrypted, vendor, native, extra: extraOf(item, COMPACTION) });
    }
    default: {
      const kind = readString(item.type, `${path}.type`);
      return defined({ type: "opaque", kind, native, pair: pairOf(kind, item) });
    }
  }
}

/** The calls of the API's own tools, by the types of the items that answer them. The API rejects one without the other. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ["computer_call_output", "computer_call"],
  ["local_shell_call_output", "local_shell_call"],
  ["shell_call_output", "shell_call"],
  ["apply_patch_call_output", "apply_patch_call"],
  ["tool_search_output", "tool_search_call"],
  ["program_output", "program"],
  ["mcp_approval_response", "mcp_approval_request"],
]);
const CALL_KINDS = new Set(CALLS.values());

function pairOf(kind: string, item: JsonObject): OpaquePair | undefined {
  const call = CALLS.get(kind);
  if (call === undefined && !CALL_KINDS.has(kind)) return undefined;
  // Requests for approval, and results of the local shell, have only an `id`.
  const id = optionalString(item.approval_request_id ?? item.call_id ?? item.id);
  return id === undefined ? undefined : { side: call === undefined ? "call" : "result", id: `${call ?? kind} ${id}` };
}

const CALL: ReadonlySet<string> = new Set(["type", "call_id", "name", "namespace", "arguments", "input"]);
const OUTPUT: ReadonlySet<string> = new Set(["type", "call_id", "name", "namespace", "output"]);
const COMPACTION: ReadonlySet<string> = new Set(["type", "encrypted_content"]);
const REASONING: ReadonlySet<string> = new Set(["type", "id", "summary", "content", "encrypted_content"]);

function callOf(item: JsonObject, path: string) {
  const id = readString(item.call_id, `${path}.call_id`);
  const name = calledName(readString(item.name, `${path}.name`), item.namespace);
  return { type: "tool-call" as const, id, name };
}

/** Ids of calls to xAI's own search, which its server runs. */
const SERVER_CALL = /^xs_call/;

/** Whether an item that looks like a client's call was run by the server. */
export function isServerCall({ type, call_id }: JsonObject): boolean {
  return type === "custom_tool_call" && typeof call_id === "string" && SERVER_CALL.test(call_id);
}

function decodeReasoning(item: JsonObject, own: Native, vendor: string): Block {
  const signed = readSignature(optionalString(item.encrypted_content), vendor);
  // Tagged reasoning of another vendor must be encoded again, without the tag.
  const isTagged = signed.vendor !== undefined && signed.vendor !== vendor;
  const kept = isTagged ? {} : { native: own, extra: extraOf(item, REASONING) };
  const text = textsOf(item.summary) || textsOf(item.content);
  return defined({ type: "thinking", text, vendor, ...signed, id: optionalString(item.id), ...kept });
}

/** Separates the parts of a summary. */
export const SUMMARY_GAP = "\n\n";

function textsOf(parts: JsonValue | undefined): string {
  return listIn(parts)
    .map((part) => optionalString(fieldOf(part, "text")) ?? "")
    .join(SUMMARY_GAP);
}

/** Whether an item of a reply is a refusal. */
export function isRefusal(item: JsonValue): boolean {
  return listIn(fieldOf(item, "content")).some((part) => fieldOf(part, "type") === "refusal");
}

/** Decodes one item of a reply's `output`. */
export function decodeOutput(value: JsonValue, path: string, vendor?: string): readonly Block[] {
  const item = readObject(value, path);
  if (item.type === "message") return decodeContent(item.content, `${path}.content`);
  return [decodeItem(value, path, vendor)];
}
