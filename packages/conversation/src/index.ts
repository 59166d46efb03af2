export type {
  Block,
  CompactionBlock,
  DocumentBlock,
  ImageBlock,
  MediaSource,
  OpaqueBlock,
  RedactedThinkingBlock,
  ResultBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
  WireId,
} from "./block.ts";
export { type ErrorCode, LonghaulError } from "./error.ts";
export type { Hash } from "./fingerprint.ts";
export { type Conversation, type Message, type Role, type Tool, textBlock, textMessage } from "./message.ts";
export type { Usage } from "./reply.ts";
export { parseConversation } from "./schema.ts";
export { type ToolPair, type ToolPairs, toolPairs } from "./turns.ts";
export { isJsonObject, type JsonObject, type JsonValue } from "./values/json.ts";
