import {
  type Block,
  type BlockType,
  type CompactionBlock,
  type DocumentBlock,
  type ImageBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type OpaqueBlock,
  type RedactedThinkingBlock,
  type Request,
  type ResultBlock,
  type Role,
  type ThinkingBlock,
  type ToolCallBlock,
  type ToolResultBlock,
  table,
  textBlock,
} from "@longhaul/conversation/advanced";
import type { AdaptContext, Feature } from "../codec/rules.ts";
import { defined, fieldOf, withoutNative } from "../fields/json.ts";
import { mapBlocks, unsupported, withMessages } from "./blocks.ts";

/** Drops or rejects content that only another format or another vendor can read. */
export function dropForeign(request: Request, context: AdaptContext): Request {
  const { conversation } = request;
  const system = conversation.system.flatMap((block) => adaptSystemBlock(block, context) ?? []);
  const messages = mapBlocks(conversation.messages, (block, { role }) => adaptBlock(block, role, context));
  if (!context.isNative) for (const message of messages) warnOfExtra("message", message.extra, context);
  const isSame = system.every((block, index) => block === conversation.system[index]);
  if (isSame && system.length === conversation.system.length) return withMessages(request, messages);
  return { ...request, conversation: { ...conversation, system, messages } };
}

// Claude Code starts its system prompt with a billing line for Anthropic. Other models do not need it.
const ATTRIBUTION = "x-anthropic-billing-header:";

function adaptSystemBlock(block: Block, context: AdaptContext): Block | undefined {
  if (block.type === "text" && block.text.startsWith(ATTRIBUTION) && context.vendor !== "anthropic") {
    const message = "Claude Code's billing line for Anthropic was removed from the system prompt";
    context.warn("system.attribution", "dropped", message);
    return undefined;
  }
  return adaptBlock(block, "system", context);
}

/** Block types that no server accepts from a role. */
const OUT_OF_PLACE: Readonly<Record<Role, ReadonlySet<BlockType>>> = table({
  user: new Set(["tool-call", "thinking", "redacted-thinking"] as const),
  assistant: new Set(["tool-result"] as const),
  system: new Set(["tool-call", "tool-result", "thinking", "redacted-thinking", "image", "document"] as const),
});

function adaptBlock(block: Block, role: Role, context: AdaptContext): Block | undefined {
  if (OUT_OF_PLACE[role].has(block.type)) {
    context.warn(`block.${block.type}`, "dropped", `not allowed in a message with role "${role}"`);
    return undefined;
  }
  const keepsExtra = context.isNative || block.native?.wire === context.rules.wire;
  if (!keepsExtra && block.type !== "opaque") warnOfExtra(`block.${block.type}`, block.extra, context);
  switch (block.type) {
    case "thinking":
    case "redacted-thinking":
      return adaptThinking(block, context);
    case "compaction":
      return adaptCompaction(block, context);
    case "opaque":
      return adaptOpaque(block, role, context);
    case "image":
    case "document":
      return adaptMedia(block, context);
    case "tool-result":
      return adaptResult(block, context);
    case "tool-call":
      return adaptCall(block, context);
    case "text":
      return block;
    default:
      return block satisfies never;
  }
}

function adaptThinking(block: ThinkingBlock | RedactedThinkingBlock, context: AdaptContext): Block | undefined {
  if (context.rules.acceptsThinking(block, context)) return block;
  const message = `${context.vendor} cannot read reasoning from ${block.vendor ?? "an unknown vendor"}`;
  context.warn(`block.${block.type}`, "dropped", message);
  return undefined;
}

/** The only vendor that signs calls. */
const SIGNS_CALLS = "google";

function adaptCall(block: ToolCallBlock, { vendor, warn }: AdaptContext): ToolCallBlock {
  if (block.signature === undefined || vendor === SIGNS_CALLS) return block;
  const { signature: _, native: _native, ...rest } = block;
  warn("tool-call.signature", "dropped", `${vendor} does not accept Google's thought signatures`);
  return rest;
}

function adaptCompaction(block: CompactionBlock, context: AdaptContext): Block | undefined {
  if (context.rules.compaction && block.vendor === context.vendor) return block;
  if (block.text === null && block.encrypted === undefined) return undefined;
  if (block.text === null) {
    const advice = "send the conversation without it, or send it to that vendor";
    throw unsupported("block.compaction", `only ${block.vendor ?? "its vendor"} can read this block; ${advice}`);
  }
  context.warn("block.compaction", "changed", "another vendor's compaction block was sent as plain text");
  return textBlock(`Summary of the conversation so far:\n\n${block.text}`);
}

function adaptOpaque(block: OpaqueBlock, role: Role, context: AdaptContext): Block | undefined {
  const { rules, warn } = context;
  if (block.native.wire === rules.wire) return block;
  if (role === "user") {
    throw unsupported(`block.${block.kind}`, `${rules.wire} does not support it; remove it from the user message`);
  }
  warn(`block.${block.kind}`, "dropped", `${rules.wire} does not support it`);
  return undefined;
}

function adaptMedia(block: ImageBlock | DocumentBlock, context: AdaptContext): ImageBlock | DocumentBlock | undefined {
  const { rules, warn } = context;
  const { kind } = block.source;
  if (kind === "file" && !context.isNative && block.native?.wire !== rules.wire) {
    throw unsupported(`${block.type}.file`, "a file uploaded to another vendor cannot be read; send its bytes");
  }
  const feature = mediaFeature(block);
  const lack = feature === undefined ? undefined : rules.lacks[feature];
  if (feature === undefined || lack === undefined) {
    return block.type === "image" ? adaptDetail(block, context) : adaptTitle(block, context);
  }
  const message = `${rules.wire} does not accept this source of a ${block.type}; send its bytes`;
  if (lack === "refuse") throw unsupported(feature, message);
  warn(feature, "dropped", message);
  return undefined;
}

function mediaFeature({ type, source }: ImageBlock | DocumentBlock): Feature | undefined {
  if (source.kind === "url") return `${type}.url`;
  return type === "image" && source.kind === "file" ? "image.file" : undefined;
}

/** Drops a document's title and context if the format has no fields for them. A plain-text document keeps both in its text. */
function adaptTitle(block: DocumentBlock, { rules, warn }: AdaptContext): DocumentBlock {
  if (block.source.kind === "text") return block;
  const { title, context, native: _, ...rest } = block;
  const lostTitle = title !== undefined && rules.lacks["document.title"] !== undefined;
  const lostContext = context !== undefined && rules.lacks["document.context"] !== undefined;
  if (!lostTitle && !lostContext) return block;
  const message = `${rules.wire} has no field for it`;
  if (lostTitle) warn("document.title", "dropped", message);
  if (lostContext) warn("document.context", "dropped", message);
  return {
    ...rest,
    ...defined({ title: lostTitle ? undefined : title, context: lostContext ? undefined : context }),
  };
}

function adaptDetail(block: ImageBlock, { rules, warn }: AdaptContext): ImageBlock {
  if (block.detail === undefined || rules.lacks["image.detail"] === undefined) return block;
  const { detail, native: _, ...rest } = block;
  const message = `${rules.wire} has no detail level for images`;
  if (detail !== "auto") warn("image.detail", "dropped", message);
  return rest;
}

function adaptResult(block: ToolResultBlock, context: AdaptContext): ToolResultBlock {
  const content = block.content.map((part) => adaptResultPart(part, context));
  if (content.every((part, index) => part === block.content[index])) return block;
  return { ...withoutNative(block), content: content.filter((part) => part !== undefined) };
}

function adaptResultPart(part: ResultBlock, context: AdaptContext): ResultBlock | undefined {
  if (part.type === "text") return part;
  if (part.type !== "opaque") return adaptMedia(part, context);
  if (part.native.wire === context.rules.wire) return part;
  context.warn(`block.${part.kind}`, "dropped", `${context.rules.wire} does not support it in a tool result`);
  return undefined;
}

/** Fields without meaning to a model: ids, states, and data that the canonical model has elsewhere. */
const BOOKKEEPING: ReadonlySet<string> = new Set(["id", "status", "role", "phase", "caller", "logprobs", "index"]);

function warnOfExtra(owner: string, extra: JsonObject | undefined, { rules, warn }: AdaptContext): void {
  if (extra === undefined) return;
  for (const [field, value] of Object.entries(extra)) {
    if (value === null || BOOKKEEPING.has(field) || (Array.isArray(value) && value.length === 0)) continue;
    warn(`${owner}.${field}`, "dropped", `${rules.wire} has no field for it`);
  }
}

/** Fields that change what the client gets so much that they are rejected, not dropped, if the upstream cannot express them. */
const REFUSED_FIELDS: Readonly<Record<string, readonly string[]>> = table({
  "anthropic-messages": ["compaction", "container", "mcp_servers", "thread"],
  "openai-chat": ["audio", "function_call", "functions", "n", "prediction"],
  "openai-responses": ["background", "conversation", "previous_response_id", "prompt"],
  gemini: ["cachedContent", "generationConfig.candidateCount"],
});

/** Drops or rejects request fields that only the client's own format has. */
export function dropForeignFields(request: Request, { rules, isNative, warn }: AdaptContext): Request {
  const { extra, ...rest } = request;
  if (isNative || extra === undefined) return request;
  const from = request.native?.wire ?? "";
  const message = `${rules.wire} does not support this field of ${from}`;
  for (const path of REFUSED_FIELDS[from] ?? []) {
    const value = path.split(".").reduce<JsonValue | undefined>(fieldOf, extra);
    if (asksForSomething(path, value)) throw unsupported(`field.${path}`, `${message}; remove it`, path);
  }
  for (const [path, value] of fieldsOf(extra)) {
    if (asksForSomething(path, value)) warn(`field.${path}`, "dropped", message);
  }
  return rest;
}

/** Objects that only group settings. Each setting inside counts as a field. */
const OPENED: ReadonlySet<string> = new Set([
  "generationConfig",
  "toolConfig",
  "reasoning",
  "text",
  "thinking",
  "output_config",
]);

function fieldsOf(extra: JsonObject): readonly (readonly [path: string, value: JsonValue])[] {
  return Object.entries(extra).flatMap(([field, value]) => {
    if (!OPENED.has(field) || !isJsonObject(value)) return [[field, value] as const];
    return Object.entries(value).map(([inner, held]) => [`${field}.${inner}`, held] as const);
  });
}

/** Fields for the number of replies. Every format returns one. */
const COUNTS: ReadonlySet<string> = new Set(["n", "generationConfig.candidateCount"]);

/** Whether a field changes anything. Null, false and empty values do not. */
function asksForSomething(path: string, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  if (COUNTS.has(path)) return value !== 1;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
