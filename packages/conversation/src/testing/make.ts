import type {
  Block,
  CacheMark,
  CompactionBlock,
  DocumentBlock,
  ImageBlock,
  OpaqueBlock,
  RedactedThinkingBlock,
  ResultBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../block.ts";
import type { Conversation, Message, Role, Tool } from "../message.ts";
import type { Usage } from "../reply.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";

/** Content for a message: a text, one block, or several of them. */
export type Content = string | Block | readonly (string | Block)[];

/** A user message. */
export function makeUser(content: Content = "Hello"): Message {
  return makeMessage("user", content);
}

/** An assistant message. */
export function makeAssistant(content: Content = "Hello, what can I do?"): Message {
  return makeMessage("assistant", content);
}

/** A system message in mid-conversation. */
export function makeSystem(content: Content = "Be brief."): Message {
  return makeMessage("system", content);
}

/** A message with any role; strings become text blocks. */
export function makeMessage(role: Role, content: Content): Message {
  const parts = typeof content === "string" || "type" in content ? [content] : content;
  return { role, blocks: parts.map((part) => (typeof part === "string" ? makeText(part) : part)) };
}

/** A text block. */
export function makeText(text: string, cache?: CacheMark): TextBlock {
  return { type: "text", text, ...(cache && { cache }) };
}

/** A call of `read_file`; `fields` override its parts. */
export function makeToolCall(id = "call_1", fields: Partial<Omit<ToolCallBlock, "type" | "id">> = {}): ToolCallBlock {
  return { type: "tool-call", id, name: "read_file", input: { path: "src/main.ts" }, ...fields };
}

/** The result of the call `callId`. */
export function makeToolResult(
  callId = "call_1",
  content: string | readonly ResultBlock[] = "export const answer = 42;",
  fields: Partial<Omit<ToolResultBlock, "type" | "callId" | "content">> = {},
): ToolResultBlock {
  const blocks = typeof content === "string" ? [makeText(content)] : content;
  return { type: "tool-result", callId, content: blocks, isError: false, ...fields };
}

/** Signed thinking from Anthropic. */
export function makeThinking(text = "The file comes first.", signature = "c2lnbmF0dXJl"): ThinkingBlock {
  return { type: "thinking", text, signature, vendor: "anthropic" };
}

/** Thinking that only its vendor can read. */
export function makeRedactedThinking(data = "cmVkYWN0ZWQ="): RedactedThinkingBlock {
  return { type: "redacted-thinking", data, vendor: "anthropic" };
}

/** A vendor's summary. */
export function makeCompaction(text: string | null = "The user wants the tests green."): CompactionBlock {
  return { type: "compaction", text, vendor: "anthropic" };
}

/** The smallest PNG: one transparent pixel. */
export const PIXEL_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** An image of one pixel. */
export function makeImage(fields: Partial<Omit<ImageBlock, "type">> = {}): ImageBlock {
  return { type: "image", source: { kind: "base64", mediaType: "image/png", data: PIXEL_PNG }, ...fields };
}

/** A plain-text document. */
export function makeDocument(text = "Chapter one.", fields: Partial<Omit<DocumentBlock, "type">> = {}): DocumentBlock {
  return { type: "document", source: { kind: "text", text }, ...fields };
}

/** A block that the canonical model does not know, in Anthropic's format. */
export function makeOpaque(kind = "search_result", fields: JsonObject = { title: "A page" }): OpaqueBlock {
  return { type: "opaque", kind, native: { wire: "anthropic-messages", value: { type: kind, ...fields } } };
}

/** A tool with a schema of string properties. */
export function makeTool(name = "read_file", properties: readonly string[] = ["path"]): Tool {
  const schema = Object.fromEntries(properties.map((property): [string, JsonValue] => [property, { type: "string" }]));
  return {
    name,
    kind: "function",
    description: `Does what ${name} says.`,
    inputSchema: { type: "object", properties: schema },
  };
}

/** A conversation with these messages; system blocks and tools are empty by default. */
export function makeConversation(
  messages: readonly Message[] = [makeUser()],
  fields: Partial<Omit<Conversation, "messages">> = {},
): Conversation {
  return { system: [], tools: [], messages, ...fields };
}

/** An agent loop: a task, then `steps` calls of `read_file`, each with a result of `resultChars` characters, then a final reply. */
export function makeAgentLoop(steps: number, resultChars = 200): Conversation {
  const loop = Array.from({ length: steps }, (_, step) => {
    const id = `call_${step}`;
    const line = `line of file ${step}; `;
    const text = line.repeat(Math.ceil(resultChars / line.length)).slice(0, resultChars);
    return [
      makeAssistant([`Step ${step}.`, makeToolCall(id, { input: { path: `src/file-${step}.ts` } })]),
      makeUser(makeToolResult(id, text)),
    ];
  });
  return makeConversation([makeUser("Read all files."), ...loop.flat(), makeAssistant("Done.")], {
    system: [makeText("You are a careful engineer.")],
    tools: [makeTool()],
  });
}

/** Usage of a small call. */
export function makeUsage(fields: Partial<Usage> = {}): Usage {
  return { inputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 20, ...fields };
}
