import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type OpaqueBlock,
  type ResultBlock,
  type ToolResultBlock,
  textMessage,
} from "@longhaul/conversation";
import { defined } from "@longhaul/wire";
import { isJsonList, numberAt, textAt } from "../../reading/fields.ts";

/** Not a wire format, but native values are written back to the log. */
const WIRE = "pi";

/** Decodes a message as pi sends it to a model. Returns undefined if it cannot be decoded. */
export function decodeMessage(value: JsonObject): Message | undefined {
  const message = decodeByRole(value);
  return message && { ...message, native: { wire: WIRE, value } };
}

export function summaryMessage(summary: string): Message {
  return textMessage("user", `<summary>\n${summary}\n</summary>`);
}

function decodeByRole(value: JsonObject): Message | undefined {
  switch (value.role) {
    case "user":
    // Messages of extensions. `hookMessage` is the older name.
    case "custom":
    case "hookMessage":
      return asMessage("user", decodeContent(value.content));
    case "assistant":
      return asMessage("assistant", decodeReply(value));
    case "toolResult":
      return asMessage("user", decodeResult(value));
    case "bashExecution":
      return textMessage("user", describeExecution(value));
    default:
      return undefined;
  }
}

function asMessage(role: "user" | "assistant", blocks: readonly Block[] | undefined): Message | undefined {
  return blocks && { role, blocks };
}

/** Decodes a text, or a list of texts and images. Empty text gives no block. */
function decodeContent(content: JsonValue | undefined): ResultBlock[] | undefined {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return isJsonList(content) ? content.map(decodeResultBlock) : undefined;
}

interface Vendor {
  readonly vendor?: string;
}

function decodeReply(value: JsonObject): readonly Block[] | undefined {
  const { content } = value;
  if (!isJsonList(content)) return decodeContent(content);
  const vendor = vendorOf(value);
  return content.map((block) => decodeReplyBlock(block, vendor));
}

function decodeReplyBlock(value: JsonValue, vendor: Vendor): Block {
  if (!isJsonObject(value)) return opaque(value);
  switch (value.type) {
    case "thinking":
      return decodeThinking(value, vendor);
    case "toolCall":
      return decodeToolCall(value);
    default:
      return decodeResultBlock(value);
  }
}

function decodeThinking(value: JsonObject, vendor: Vendor): Block {
  const text = textAt(value, "thinking");
  // A truncated stream leaves an empty signature.
  const signature = textAt(value, "thinkingSignature") || undefined;
  const native = { wire: WIRE, value };
  if (value.redacted === true && signature !== undefined)
    return { type: "redacted-thinking", data: signature, ...vendor, native };
  if (text === undefined) return opaque(value);
  return { type: "thinking", text, ...(signature !== undefined && { signature }), ...vendor, native };
}

function decodeToolCall(value: JsonObject): Block {
  const id = textAt(value, "id");
  const name = textAt(value, "name");
  const signature = textAt(value, "thoughtSignature");
  if (id === undefined || name === undefined) return opaque(value);
  const input = value.arguments ?? {};
  const native = { wire: WIRE, value };
  return { type: "tool-call", id, name, input, ...(signature !== undefined && { signature }), native };
}

function decodeResult(value: JsonObject): readonly Block[] | undefined {
  const callId = textAt(value, "toolCallId");
  const content = decodeContent(value.content);
  if (callId === undefined || content === undefined) return undefined;
  const name = textAt(value, "toolName");
  return [
    { type: "tool-result", callId, ...(name !== undefined && { name }), content, isError: value.isError === true },
  ];
}

function decodeResultBlock(value: JsonValue): ResultBlock {
  if (!isJsonObject(value)) return opaque(value);
  const native = { wire: WIRE, value };
  const text = textAt(value, "text");
  if (value.type === "text" && text !== undefined) return { type: "text", text, native };
  const data = textAt(value, "data");
  const mediaType = textAt(value, "mimeType");
  if (value.type === "image" && data !== undefined && mediaType !== undefined)
    return { type: "image", source: { kind: "base64", mediaType, data }, native };
  return opaque(value);
}

/** Describes a command that the user ran, in pi's own words. */
function describeExecution(value: JsonObject): string {
  const output = textAt(value, "output") ?? "";
  const exitCode = numberAt(value, "exitCode") ?? 0;
  const fullOutput = value.truncated === true ? textAt(value, "fullOutputPath") : undefined;
  return [
    `Ran \`${textAt(value, "command") ?? ""}\`\n${output === "" ? "(no output)" : `\`\`\`\n${output}\n\`\`\``}`,
    ...(value.cancelled === true ? ["(command cancelled)"] : []),
    ...(value.cancelled !== true && exitCode !== 0 ? [`Command exited with code ${exitCode}`] : []),
    ...(fullOutput === undefined ? [] : [`[Output truncated. Full output: ${fullOutput}]`]),
  ].join("\n\n");
}

/** Vendor of signatures by API. The provider may be a reseller. */
const VENDORS: ReadonlyMap<string, string> = new Map([
  ["anthropic-messages", "anthropic"],
  ["openai-completions", "openai"],
  ["openai-responses", "openai"],
  ["openai-codex-responses", "openai"],
  ["azure-openai-responses", "openai"],
  ["google-generative-ai", "google"],
  ["google-gemini-cli", "google"],
  ["google-vertex", "google"],
  ["mistral-conversations", "mistral"],
]);

function vendorOf(value: JsonObject): Vendor {
  const vendor = VENDORS.get(textAt(value, "api") ?? "") ?? textAt(value, "provider");
  return vendor === undefined ? {} : { vendor };
}

function opaque(value: JsonValue): OpaqueBlock {
  const kind = isJsonObject(value) ? textAt(value, "type") : undefined;
  return { type: "opaque", kind: kind ?? "unknown", native: { wire: WIRE, value } };
}

/** Encodes a message in pi's format, with one message per tool result. An unchanged message is written as received. */
export function encodeMessage(message: Message): JsonObject[] {
  const own = message.native?.wire === "pi" ? message.native.value : undefined;
  if (isJsonObject(own)) return [own];
  if (message.role === "assistant") return [{ role: "assistant", content: message.blocks.map(encodeBlock) }];
  const results = message.blocks.filter((block) => block.type === "tool-result");
  const others = message.blocks.filter((block) => block.type !== "tool-result");
  return [
    ...results.map(encodeResult),
    ...(others.length === 0 ? [] : [{ role: "user", content: others.map(encodeBlock) }]),
  ];
}

function encodeResult({ callId, name, content, isError }: ToolResultBlock): JsonObject {
  return defined({
    role: "toolResult",
    toolCallId: callId,
    toolName: name,
    content: content.map(encodeBlock),
    isError,
  });
}

function encodeBlock(block: Block | ResultBlock): JsonObject {
  if (block.native?.wire === "pi" && isJsonObject(block.native.value)) return block.native.value;
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return {
        type: "thinking",
        thinking: block.text,
        ...(block.signature !== undefined && { thinkingSignature: block.signature }),
      };
    case "tool-call":
      return { type: "toolCall", id: block.id, name: block.name, arguments: block.input };
    case "image":
      return block.source.kind === "base64"
        ? { type: "image", data: block.source.data, mimeType: block.source.mediaType }
        : { type: "text", text: "[image]" };
    case "compaction":
      return { type: "text", text: block.text ?? "" };
    default:
      return { type: "text", text: `[${block.type}]` };
  }
}
