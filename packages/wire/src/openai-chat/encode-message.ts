import {
  type Block,
  type DocumentBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type ResultBlock,
  type ToolCallBlock,
  type ToolResultBlock,
  urlOfSource,
} from "@longhaul/conversation/advanced";
import type { EncodeOptions, WireDestination } from "../codec/rules.ts";
import { mapSteps, type Steps } from "../codec/stepper.ts";
import { documentText } from "../content/media.ts";
import { stringifyInput } from "../content/tool-input.ts";
import { defined, fieldOf } from "../fields/json.ts";
import { ERROR_MARK, encodeMark, keepsRole } from "../openai/shape.ts";
import { encodeDetail, THINKING_PART } from "./reasoning-details.ts";
import { WIRE } from "./rules.ts";

export interface ChatEncodeOptions
  extends EncodeOptions,
    Pick<WireDestination, "systemRole" | "thinkingField" | "cacheMarks"> {
  /** Names of free-text tools. Calls of all other tools are function calls. */
  readonly freeTextTools: ReadonlySet<string>;
}

/** Encodes messages. Unchanged messages are written as received. */
export function* encodeMessages(messages: readonly Message[], options: ChatEncodeOptions): Steps<JsonValue[]> {
  const written: JsonValue[] = [];
  let attached: readonly JsonObject[] = [];
  for (const { results, attachments, rest } of yield* mapSteps(messages, (message) =>
    encodeMessage(message, options),
  )) {
    if (results.length === 0) attached = flush(written, attached);
    written.push(...results);
    // The results of one round must be adjacent, so their attachments follow the last one.
    attached = [...attached, ...attachments];
    if (rest.length > 0) attached = flush(written, attached);
    written.push(...rest);
  }
  flush(written, attached);
  return written;
}

function flush(written: JsonValue[], attached: readonly JsonObject[]): readonly JsonObject[] {
  if (attached.length > 0) written.push({ role: "user", content: attached });
  return [];
}

/** The entries for one message. */
interface Entries {
  readonly results: readonly JsonValue[];
  /** Images and files of results, which a tool message cannot contain. */
  readonly attachments: readonly JsonObject[];
  readonly rest: readonly JsonValue[];
}

function encodeMessage(message: Message, options: ChatEncodeOptions): Entries {
  const own = message.native?.wire === WIRE ? message.native.value : undefined;
  if (own !== undefined && keepsRole(own, options)) {
    const isResult = isJsonObject(own) && own.role === "tool";
    return { results: isResult ? [own] : [], attachments: [], rest: isResult ? [] : [own] };
  }
  const extra = options.extras ? message.extra : undefined;
  if (message.role === "assistant") {
    return { results: [], attachments: [], rest: [{ ...encodeAssistant(message.blocks, options), ...extra }] };
  }
  const answers = message.blocks.filter((block) => block.type === "tool-result");
  const others = message.blocks.filter((block) => block.type !== "tool-result");
  const named = message.role === "system" && options.systemRole !== undefined ? { role: options.systemRole } : {};
  const entry = { role: message.role, content: encodeContent(others, options), ...extra, ...named };
  return {
    results: answers.map((answer) => encodeResult(answer, options)),
    attachments: answers.flatMap((answer) => attachmentsOf(answer, options)),
    rest: others.length === 0 && answers.length > 0 ? [] : [entry],
  };
}

/** Encodes content: one plain text as a string, anything else as parts. */
export function encodeContent(blocks: readonly Block[], options: ChatEncodeOptions): JsonValue {
  const [only] = blocks;
  if (only === undefined) return "";
  const isPart = only.native?.wire === WIRE && isJsonObject(only.native.value);
  if (blocks.length === 1 && only.type === "text" && only.cache === undefined && !isPart) return only.text;
  return blocks.flatMap((block) => encodePart(block, options));
}

function encodePart(block: Block, options: ChatEncodeOptions): JsonObject[] {
  if (block.native?.wire === WIRE && isJsonObject(block.native.value)) return [block.native.value];
  const mark = "cache" in block ? encodeMark(block.cache, options) : {};
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text, ...mark }];
    case "image": {
      const image = defined({ url: urlOfSource(block.source) ?? "", detail: block.detail });
      return [{ type: "image_url", image_url: image, ...mark }];
    }
    case "document":
      return [{ ...encodeDocument(block), ...mark }];
    default:
      return [];
  }
}

function encodeDocument(block: DocumentBlock): JsonObject {
  const { source, title } = block;
  if (source.kind === "text") return { type: "text", text: documentText(block) };
  if (source.kind === "file") return { type: "file", file: { file_id: source.id, ...defined({ filename: title }) } };
  // The API rejects file data without a name.
  return { type: "file", file: { filename: title ?? "document.pdf", file_data: urlOfSource(source) ?? "" } };
}

/** Encodes an assistant message. Also used for replies. */
export function encodeAssistant(blocks: readonly Block[], options: ChatEncodeOptions): JsonObject {
  const texts = blocks.filter((block) => block.type === "text" || isThinkingPart(block));
  const calls = blocks.filter((block) => block.type === "tool-call");
  const content = texts.length === 0 ? null : encodeContent(texts, options);
  return {
    role: "assistant",
    content,
    ...encodeThinking(blocks, options),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => encodeCall(call, options)) }),
  };
}

/** Whether a block is thinking that was received as a content part and is written back as one. */
function isThinkingPart({ type, native }: Block): boolean {
  return type === "thinking" && native?.wire === WIRE && fieldOf(native.value, "type") === THINKING_PART;
}

function encodeThinking(blocks: readonly Block[], { thinkingField }: ChatEncodeOptions): JsonObject {
  const own = blocks.filter((block) => !isThinkingPart(block));
  const thoughts = own.filter((block) => block.type === "thinking" || block.type === "redacted-thinking");
  if (thoughts.length === 0) return {};
  const text = thoughts.map((thought) => (thought.type === "thinking" ? thought.text : "")).join("");
  if (thinkingField === "reasoning_content") return { reasoning_content: text };
  if (thinkingField === "reasoning") return { reasoning: text };
  return { reasoning_details: thoughts.map(encodeDetail) };
}

function encodeCall(call: ToolCallBlock, { freeTextTools }: ChatEncodeOptions): JsonObject {
  if (call.native?.wire === WIRE && isJsonObject(call.native.value)) return call.native.value;
  const { id, name, input, signature } = call;
  const extra = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
  if (typeof input === "string" && call.freeText !== false && freeTextTools.has(name)) {
    return { id, type: "custom", custom: { name, input } };
  }
  return { id, type: "function", function: { name, arguments: stringifyInput(input) }, ...extra };
}

function encodeResult(result: ToolResultBlock, options: ChatEncodeOptions): JsonObject {
  const failed: JsonObject[] = result.isError ? [{ type: "text", text: ERROR_MARK }] : [];
  const parts = [...failed, ...result.content.flatMap((part) => resultText(part, options))];
  return { role: "tool", tool_call_id: result.callId, content: joinTexts(parts, encodeMark(result.cache, options)) };
}

/**
 * Joins the texts of a result: DeepSeek and others reject a list of texts, and some models ignore one. Texts with cache marks are joined too,
 * because marks move from turn to turn, and the cached prompt must stay the same.
 */
function joinTexts(parts: readonly JsonObject[], mark: JsonObject): JsonValue {
  if (parts.some(hasOwnFields)) return [...parts.slice(0, -1), { ...parts.at(-1), ...mark }];
  const text = parts.map((part) => part.text).join("\n");
  const marks = [...parts, mark].map(({ type: _type, text: _text, ...marksOfPart }) => marksOfPart);
  const joined: JsonObject = Object.assign({}, ...marks);
  return text === "" || Object.keys(joined).length === 0 ? text : [{ type: "text", text, ...joined }];
}

/** Whether a part is not only a text with or without a cache mark. */
function hasOwnFields({ type, text, cache_control, prompt_cache_breakpoint, ...more }: JsonObject): boolean {
  return type !== "text" || typeof text !== "string" || Object.keys(more).length > 0;
}

function resultText(part: ResultBlock, options: ChatEncodeOptions): JsonObject[] {
  if (part.type === "text") return encodePart(part, options);
  return part.type === "document" && part.source.kind === "text" ? encodePart(part, options) : [];
}

function attachmentsOf({ callId, content }: ToolResultBlock, options: ChatEncodeOptions): JsonObject[] {
  const others = content.filter((part) => resultText(part, options).length === 0);
  const parts = others.flatMap((part) => encodePart(part, options));
  return parts.length === 0 ? [] : [{ type: "text", text: `[Attached to the result of ${callId}]` }, ...parts];
}
