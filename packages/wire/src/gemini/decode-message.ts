import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type Native,
  type OpaqueBlock,
  type ResultBlock,
  type Role,
  type TextBlock,
  type ToolCallBlock,
  type ToolResultBlock,
  table,
  textBlock,
} from "@longhaul/conversation/advanced";
import {
  defined,
  extraOf,
  malformed,
  nativeMessage,
  nonEmptyString,
  optionalString,
  readEach,
  readObject,
  readString,
} from "../fields/json.ts";
import { placeholderId, SIGNATURE_ALONE, unwrapThinking } from "./calls.ts";
import { camelFields, innerFields, snakeName } from "./field-names.ts";
import { decodeMedia } from "./media.ts";
import { VENDOR, WIRE } from "./rules.ts";

/** Decodes one entry of `contents`. */
export function decodeMessage(value: JsonValue, path = "content"): Message {
  const content = readObject(value, path);
  const blocks = decodeParts(content.parts, `${path}.parts`);
  const extra = extraOf(content, CONTENT_FIELDS);
  return defined({ role: readRole(content.role, path), blocks, native: nativeMessage(WIRE, value, blocks), extra });
}

const CONTENT_FIELDS: ReadonlySet<string> = new Set(["role", "parts"]);

/** Roles by name. Tool results belong to the user, and so does content without a role. */
const ROLES: Readonly<Record<string, Role>> = table({
  "": "user",
  user: "user",
  function: "user",
  tool: "user",
  model: "assistant",
});

function readRole(role: JsonValue | undefined, path: string): Role {
  const name = role ?? "";
  const known = typeof name === "string" ? ROLES[name] : undefined;
  if (known !== undefined) return known;
  throw malformed(`${path}.role`, '"user", "model" or "function"', role);
}

/** Decodes the parts of a content or the system prompt. */
export function decodeParts(parts: JsonValue | undefined, path: string, vendor = VENDOR): readonly Block[] {
  return readEach(parts ?? [], path, (part, place) => decodePart(part, place, vendor));
}

/** Decodes a part. Signatures without a tag belong to `vendor`. */
export function decodePart(value: JsonValue, path: string, vendor = VENDOR): Block {
  const part = camelFields(readObject(value, path));
  const native = { wire: WIRE, value };
  if (isJsonObject(part.functionCall)) return decodeCall(part, path, native);
  if (isJsonObject(part.functionResponse)) return { ...decodeResult(part, path), native };
  if (part.thought === true) return decodeThought(part, native, vendor);
  return typeof part.text === "string" ? decodeText(part, part.text, native) : decodeFilePart(part, native);
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(["text", "thought"]);
const THOUGHT_FIELDS: ReadonlySet<string> = new Set(["text", "thought", "thoughtSignature"]);
const CALL_PART_FIELDS: ReadonlySet<string> = new Set(["functionCall", "thoughtSignature"]);
const CALL_FIELDS: ReadonlySet<string> = new Set(["id", "name", "args"]);
const RESULT_PART_FIELDS: ReadonlySet<string> = new Set(["functionResponse"]);
const RESULT_FIELDS: ReadonlySet<string> = new Set(["id", "name", "response", "parts"]);
const MEDIA_PART_FIELDS: ReadonlySet<string> = new Set(["inlineData", "fileData"]);
const MEDIA_FIELDS: ReadonlySet<string> = new Set(["mimeType", "data", "fileUri"]);

/** Decodes a text. Its signature is kept in `extra`; a signature on an empty text becomes an opaque block. */
function decodeText(part: JsonObject, text: string, native: Native): TextBlock | OpaqueBlock {
  const isSignatureAlone = nonEmptyString(part.thoughtSignature) !== undefined && text.trim() === "";
  if (isSignatureAlone) return { type: "opaque", kind: SIGNATURE_ALONE, native };
  return defined({ type: "text", text, native, extra: extraOf(part, TEXT_FIELDS) });
}

function decodeCall(part: JsonObject, path: string, native: Native): ToolCallBlock {
  const call = innerFields(part.functionCall);
  const name = readString(call.name, `${path}.functionCall.name`);
  const id = optionalString(call.id) || placeholderId(name);
  const signature = optionalString(part.thoughtSignature) || undefined;
  const extra = joinExtra(extraOf(part, CALL_PART_FIELDS), { functionCall: extraOf(call, CALL_FIELDS) });
  return defined({ type: "tool-call", id, name, input: call.args ?? {}, signature, native, extra });
}

function decodeResult(part: JsonObject, path: string): ToolResultBlock {
  const result = innerFields(part.functionResponse);
  const name = optionalString(result.name) || undefined;
  const callId = optionalString(result.id) || placeholderId(name ?? "");
  const parts = readEach(result.parts ?? [], `${path}.functionResponse.parts`, decodeResultPart);
  const content = [...decodeResponse(result.response), ...parts];
  const extra = joinExtra(extraOf(part, RESULT_PART_FIELDS), { functionResponse: extraOf(result, RESULT_FIELDS) });
  return defined({ type: "tool-result", callId, name, content, isError: isFailure(result.response), extra });
}

/** Decodes a tool's response: a single text in one of the API's usual fields becomes that text, anything else its JSON. */
function decodeResponse(response: JsonValue | undefined): readonly TextBlock[] {
  const fields = isJsonObject(response) ? Object.entries(response) : [];
  const [only] = fields;
  const plain = fields.length === 1 && only !== undefined && RESPONSE_FIELDS.has(only[0]) ? only[1] : response;
  const isEmpty = (plain ?? null) === null || (isJsonObject(plain) && Object.keys(plain).length === 0);
  const text = typeof plain === "string" ? plain : isEmpty ? "" : JSON.stringify(plain);
  return text === "" ? [] : [textBlock(text)];
}

const RESPONSE_FIELDS: ReadonlySet<string> = new Set(["output", "result", "error"]);

/** Whether a response is an error. Beside other fields, an empty `error` is not. */
function isFailure(response: JsonValue | undefined): boolean {
  if (!isJsonObject(response) || response.error === undefined || response.error === null) return false;
  return Object.keys(response).length === 1 || !(response.error === "" || response.error === false);
}

function decodeResultPart(value: JsonValue, path: string): ResultBlock {
  return decodeFilePart(camelFields(readObject(value, path)), { wire: WIRE, value });
}

function decodeFilePart(part: JsonObject, native: Native): ResultBlock {
  const media = decodeMedia(part);
  if (media === undefined) return opaqueOf(part, native);
  const extra = joinExtra(extraOf(part, MEDIA_PART_FIELDS), {
    inlineData: extraOf(innerFields(part.inlineData), MEDIA_FIELDS),
    fileData: extraOf(innerFields(part.fileData), MEDIA_FIELDS),
  });
  return { ...media, ...defined({ native, extra }) };
}

/** Merges the unknown fields of a part and of the objects in it. */
function joinExtra(
  outer: JsonObject | undefined,
  inner: Readonly<Record<string, JsonObject | undefined>>,
): JsonObject | undefined {
  const joined: Record<string, JsonValue> = { ...outer };
  for (const [field, extra] of Object.entries(inner)) if (extra !== undefined) joined[field] = extra;
  return Object.keys(joined).length === 0 ? undefined : joined;
}

function decodeThought(part: JsonObject, native: Native, vendor: string): Block {
  if (Object.keys(part).some((field) => MEDIA_PART_FIELDS.has(field))) return opaqueOf(part, native);
  const signature = optionalString(part.thoughtSignature) || undefined;
  // Another vendor's thinking must be encoded again.
  const wrapped = unwrapThinking(signature);
  if (wrapped !== undefined) return wrapped;
  const text = optionalString(part.text) ?? "";
  return defined({ type: "thinking", text, signature, vendor, native, extra: extraOf(part, THOUGHT_FIELDS) });
}

/** Fields that describe a part's content. */
const REMARKS: ReadonlySet<string> = new Set([
  "thought",
  "thoughtSignature",
  "videoMetadata",
  "mediaResolution",
  "mediaProcessing",
  "partMetadata",
]);

/** Kind of a part without content: no field at all, or only descriptive ones. */
export const NO_CONTENT = "part";

/** Returns a part that the canonical model does not know. */
function opaqueOf(part: JsonObject, native: Native): OpaqueBlock {
  const kind = Object.keys(part).find((field) => !REMARKS.has(field));
  if (kind !== undefined) return { type: "opaque", kind: snakeName(kind), native };
  const isSigned = nonEmptyString(part.thoughtSignature) !== undefined;
  return { type: "opaque", kind: isSigned ? SIGNATURE_ALONE : NO_CONTENT, native };
}
