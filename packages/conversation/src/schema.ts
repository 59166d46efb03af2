import * as z from "zod/mini";
import { LonghaulError } from "./error.ts";
import { type Conversation, requireMessages } from "./message.ts";
import { checkValue } from "./values/check-value.ts";
import { isJsonObject, isJsonValue, type JsonObject, type JsonValue, MAX_JSON_DEPTH, table } from "./values/json.ts";

/**
 * Parses a canonical conversation from an external source (a file, another process). `system`, `tools`, a tool's `kind` and a result's
 * `isError` are optional. Throws `request.malformed` with the path, the value found there and the value expected.
 */
export function parseConversation(value: unknown): Conversation {
  const parsed = checkValue(conversationSchema, value);
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
const carrier = { native: z.exactOptional(native), extra: z.exactOptional(jsonObject) };
const cache = z.exactOptional(z.strictObject({ ttl: z.exactOptional(z.enum(["5m", "1h"])) }));
const markable = { ...carrier, cache };
const optionalText = z.exactOptional(z.string());

const base64Source = z.strictObject({ kind: z.literal("base64"), mediaType: z.string(), data: z.string() });
const urlSource = z.strictObject({ kind: z.literal("url"), url: z.string(), mediaType: optionalText });
const fileSource = z.strictObject({ kind: z.literal("file"), id: z.string(), mediaType: optionalText });
const textSource = z.strictObject({ kind: z.literal("text"), text: z.string() });

const text = z.strictObject({ ...markable, type: z.literal("text"), text: z.string() });
const image = z.strictObject({
  ...markable,
  type: z.literal("image"),
  source: z.discriminatedUnion("kind", [base64Source, urlSource, fileSource]),
  detail: z.exactOptional(z.enum(["low", "high", "auto", "original"])),
});
const document = z.strictObject({
  ...markable,
  type: z.literal("document"),
  source: z.discriminatedUnion("kind", [base64Source, urlSource, fileSource, textSource]),
  title: optionalText,
  context: optionalText,
});
const opaque = z.strictObject({
  ...markable,
  type: z.literal("opaque"),
  kind: z.string(),
  native,
  pair: z.exactOptional(z.strictObject({ side: z.enum(["call", "result"]), id: z.string() })),
});
const toolCall = z.strictObject({
  ...markable,
  type: z.literal("tool-call"),
  id: z.string(),
  name: z.string(),
  input: json,
  freeText: z.exactOptional(z.boolean()),
  signature: optionalText,
});
const toolResult = z.strictObject({
  ...markable,
  type: z.literal("tool-result"),
  callId: z.string(),
  name: optionalText,
  content: z.array(z.discriminatedUnion("type", [text, image, document, opaque])),
  isError: z._default(z.boolean(), false),
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
  text: z.nullable(z.string()),
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
  inputSchema: z.exactOptional(jsonObject),
  kind: z._default(z.enum(["function", "custom", "server"]), "function"),
});

const conversationSchema: z.ZodMiniType<Conversation> = z.strictObject({
  system: z._default(z.array(block), []),
  tools: z._default(z.array(tool), []),
  messages: z._default(z.array(message), []),
});

type Issue = z.core.$ZodIssue;

/** Describes the first problem (its path, the value found and the value expected) and counts the others. */
export function describeIssues(issues: readonly Issue[], root: unknown): string {
  const [first, ...others] = issues;
  if (first === undefined) return "the conversation is malformed";
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${describeIssue(first, root)}${more}`;
}

function describeIssue(issue: Issue, root: unknown): string {
  const place = formatPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => `"${key}"`).join(", ");
    return `${place} has unknown fields ${keys}; remove them, or move them under "extra" of their block or message`;
  }
  const value = valueAt(root, issue.path);
  const found = value === undefined ? "is missing" : `is ${formatValue(value)}`;
  return `${place} ${found}; expected ${expected(issue)}${hint(issue.path, value)}`;
}

function expected(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return WITH_ARTICLE[issue.expected] ?? issue.expected;
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_union":
      return oneOf("options" in issue && Array.isArray(issue.options) ? issue.options : []);
    default:
      return issue.message;
  }
}

const WITH_ARTICLE: Readonly<Record<string, string>> = table({
  object: "an object",
  array: "an array",
  string: "a string",
  boolean: "true or false",
  number: "a number",
});

function oneOf(values: readonly unknown[]): string {
  return `one of ${values.map(formatValue).join(", ")}`;
}

/** Suggests what the caller probably meant. */
function hint(path: readonly PropertyKey[], value: unknown): string {
  const key = path.at(-1);
  if (key === "type" && typeof value === "string") {
    return `, or a block of another format wrapped as {"type":"opaque","kind":${formatValue(value)},"native":{"wire":"<its format>","value":<the block>}}`;
  }
  return key === "role" && value === "tool" ? "; send a tool's result as a tool-result block in a user message" : "";
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (formatted, key) => (typeof key === "number" ? `${formatted}[${key}]` : `${formatted}.${String(key)}`),
    "conversation",
  );
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) ? value[String(key)] : undefined;
  }, root);
}

const MAX_SHOWN_CHARS = 60;

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > MAX_SHOWN_CHARS ? `${value.slice(0, MAX_SHOWN_CHARS)}…` : value);
}
