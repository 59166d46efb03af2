import { z } from "zod";
import { LonghaulError } from "./error.ts";
import { isJsonObject, isJsonValue, type JsonObject, type JsonValue, MAX_JSON_DEPTH } from "./json.ts";
import type { Conversation } from "./message.ts";
import { requireMessages } from "./require.ts";
import { describeIssues } from "./schema-issue.ts";

/**
 * Reads a conversation in canonical form from outside (a file, another process). `system`, `tools`, a tool's `kind` and a result's
 * `isError` may be left out. Anything else that does not fit is a `request.malformed` that names the place, what stands there and what
 * to give instead.
 */
export function parseConversation(value: unknown): Conversation {
  const parsed = conversationSchema.safeParse(value);
  if (!parsed.success) throw new LonghaulError("request.malformed", describeIssues(parsed.error.issues, value));
  requireMessages(parsed.data.messages);
  return parsed.data;
}

const json = z.custom<JsonValue>((value) => isJsonValue(value), {
  error: `a JSON value of at most ${MAX_JSON_DEPTH} levels`,
});
const jsonObject = z.custom<JsonObject>((value) => isJsonObject(value) && isJsonValue(value), {
  error: `a JSON object of at most ${MAX_JSON_DEPTH} levels`,
});

const native = z.strictObject({ wire: z.string(), value: json });
const carrier = { native: native.exactOptional(), extra: jsonObject.exactOptional() };
const cache = z.strictObject({ ttl: z.enum(["5m", "1h"]).exactOptional() }).exactOptional();
const markable = { ...carrier, cache };
const optionalText = z.string().exactOptional();

const base64Source = z.strictObject({ kind: z.literal("base64"), mediaType: z.string(), data: z.string() });
const urlSource = z.strictObject({ kind: z.literal("url"), url: z.string(), mediaType: optionalText });
const fileSource = z.strictObject({ kind: z.literal("file"), id: z.string(), mediaType: optionalText });
const textSource = z.strictObject({ kind: z.literal("text"), text: z.string() });

const text = z.strictObject({ ...markable, type: z.literal("text"), text: z.string() });
const image = z.strictObject({
  ...markable,
  type: z.literal("image"),
  source: z.discriminatedUnion("kind", [base64Source, urlSource, fileSource]),
  detail: z.enum(["low", "high", "auto", "original"]).exactOptional(),
});
const document = z.strictObject({
  ...markable,
  type: z.literal("document"),
  source: z.discriminatedUnion("kind", [base64Source, urlSource, fileSource, textSource]),
  title: optionalText,
  context: optionalText,
});
const opaque = z.strictObject({ ...markable, type: z.literal("opaque"), kind: z.string(), native });
const toolCall = z.strictObject({
  ...markable,
  type: z.literal("tool-call"),
  id: z.string(),
  name: z.string(),
  input: json,
  freeText: z.boolean().exactOptional(),
  signature: optionalText,
});
const toolResult = z.strictObject({
  ...markable,
  type: z.literal("tool-result"),
  callId: z.string(),
  name: optionalText,
  content: z.array(z.discriminatedUnion("type", [text, image, document, opaque])),
  isError: z.boolean().default(false),
});
const thinking = z.strictObject({
  ...carrier,
  type: z.literal("thinking"),
  text: z.string(),
  signature: optionalText,
  id: optionalText,
  vendor: optionalText,
});
const redactedThinking = z.strictObject({
  ...carrier,
  type: z.literal("redacted-thinking"),
  data: z.string(),
  vendor: optionalText,
});
const compaction = z.strictObject({
  ...markable,
  type: z.literal("compaction"),
  text: z.string().nullable(),
  encrypted: optionalText,
  vendor: optionalText,
});

const block = z.discriminatedUnion("type", [
  text,
  image,
  document,
  toolCall,
  toolResult,
  thinking,
  redactedThinking,
  compaction,
  opaque,
]);
const message = z.strictObject({
  ...carrier,
  role: z.enum(["user", "assistant", "system"]),
  blocks: z.array(block),
});
const tool = z.strictObject({
  ...markable,
  name: z.string(),
  description: optionalText,
  inputSchema: jsonObject.exactOptional(),
  kind: z.enum(["function", "custom", "server"]).default("function"),
});

const conversationSchema: z.ZodType<Conversation> = z.strictObject({
  system: z.array(block).default([]),
  tools: z.array(tool).default([]),
  messages: z.array(message).default([]),
});
