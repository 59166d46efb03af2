import {
  type Block,
  type BlockType,
  type CompactionBlock,
  type DocumentBlock,
  type ImageBlock,
  type JsonObject,
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
} from "@longhaul/conversation";
import type { Feature, Fitting } from "../codec/rules.ts";
import { given } from "../fields/given.ts";
import { mapBlocks, unsupported, withMessages } from "./blocks.ts";

/** Leaves out, or refuses, what only another format or another vendor can read. */
export function dropForeign(request: Request, fitting: Fitting): Request {
  const { conversation } = request;
  const system = conversation.system.flatMap((block) => fitSystemBlock(block, fitting) ?? []);
  const messages = mapBlocks(conversation.messages, (block, { role }) => fitBlock(block, role, fitting));
  if (!fitting.isNative) for (const message of messages) warnOfExtra("message", message.extra, fitting);
  const isSame = system.every((block, index) => block === conversation.system[index]);
  if (isSame && system.length === conversation.system.length) return withMessages(request, messages);
  return { ...request, conversation: { ...conversation, system, messages } };
}

// Claude Code opens its system prompt with a line of its own for Anthropic's accounting; to any other model it is noise.
const ATTRIBUTION = "x-anthropic-billing-header:";

function fitSystemBlock(block: Block, fitting: Fitting): Block | undefined {
  if (block.type === "text" && block.text.startsWith(ATTRIBUTION) && fitting.vendor !== "anthropic") {
    const message = "the client's line for Anthropic's accounting is left out of the system prompt";
    fitting.warn({ feature: "system.attribution", action: "dropped", message });
    return undefined;
  }
  return fitBlock(block, "system", fitting);
}

/** Blocks that no server takes from that role. */
const OUT_OF_PLACE: Readonly<Record<Role, ReadonlySet<BlockType>>> = table({
  user: new Set(["tool-call", "thinking", "redacted-thinking"] as const),
  assistant: new Set(["tool-result"] as const),
  system: new Set(["tool-call", "tool-result", "thinking", "redacted-thinking", "image", "document"] as const),
});

function fitBlock(block: Block, role: Role, fitting: Fitting): Block | undefined {
  if (OUT_OF_PLACE[role].has(block.type)) {
    const message = `it can't be said in a message of role ${role}`;
    fitting.warn({ feature: `block.${block.type}`, action: "dropped", message });
    return undefined;
  }
  const isWrittenAsItCame = fitting.isNative || block.native?.wire === fitting.rules.wire;
  if (!isWrittenAsItCame && block.type !== "opaque") warnOfExtra(`block.${block.type}`, block.extra, fitting);
  switch (block.type) {
    case "thinking":
    case "redacted-thinking":
      return fitThinking(block, fitting);
    case "compaction":
      return fitCompaction(block, fitting);
    case "opaque":
      return fitOpaque(block, role, fitting);
    case "image":
    case "document":
      return fitMedia(block, fitting);
    case "tool-result":
      return fitResult(block, fitting);
    case "tool-call":
      return fitCall(block, fitting);
    case "text":
      return block;
    default:
      return block satisfies never;
  }
}

function fitThinking(block: ThinkingBlock | RedactedThinkingBlock, fitting: Fitting): Block | undefined {
  if (fitting.rules.readsThinking(block, fitting)) return block;
  const maker = block.vendor ?? "nobody";
  const message = `reasoning signed by ${maker} means nothing to ${fitting.vendor} and is left out`;
  fitting.warn({ feature: `block.${block.type}`, action: "dropped", message });
  return undefined;
}

// Only Google signs calls.
const SIGNS_CALLS = "google";

function fitCall(block: ToolCallBlock, { vendor, warn }: Fitting): ToolCallBlock {
  if (block.signature === undefined || vendor === SIGNS_CALLS) return block;
  const { signature: _, native: _native, ...rest } = block;
  const message = `the proof of the reasoning behind a call means nothing to ${vendor} and is left out`;
  warn({ feature: "tool-call.signature", action: "dropped", message });
  return rest;
}

function fitCompaction(block: CompactionBlock, fitting: Fitting): Block | undefined {
  if (fitting.rules.compaction && block.vendor === fitting.vendor) return block;
  if (block.text === null && block.encrypted === undefined) return undefined;
  if (block.text === null) {
    const advice = "send the conversation without it, or to the vendor that made it";
    throw unsupported("block.compaction", `only ${block.vendor ?? "its vendor"} can read this compaction; ${advice}`);
  }
  const message = "another vendor's compaction is given as plain text";
  fitting.warn({ feature: "block.compaction", action: "changed", message });
  return textBlock(`Summary of the conversation so far:\n\n${block.text}`);
}

function fitOpaque(block: OpaqueBlock, role: Role, fitting: Fitting): Block | undefined {
  const { rules, warn } = fitting;
  if (block.native.wire === rules.wire) return block;
  if (role === "user") {
    throw unsupported(`block.${block.kind}`, `${rules.wire} has no words for it; leave it out of the user's message`);
  }
  warn({ feature: `block.${block.kind}`, action: "dropped", message: `${rules.wire} has no words for it` });
  return undefined;
}

function fitMedia(block: ImageBlock | DocumentBlock, fitting: Fitting): ImageBlock | DocumentBlock | undefined {
  const { rules, warn } = fitting;
  const { kind } = block.source;
  if (kind === "file" && !fitting.isNative && block.native?.wire !== rules.wire) {
    throw unsupported(`${block.type}.file`, "a file kept by one vendor can't be read by another; send its bytes");
  }
  const feature = mediaFeature(block);
  const lack = feature === undefined ? undefined : rules.lacks[feature];
  if (feature === undefined || lack === undefined) {
    return block.type === "image" ? fitDetail(block, fitting) : fitWords(block, fitting);
  }
  const message = `${rules.wire} does not take a ${block.type} this way; send its bytes`;
  if (lack === "refuse") throw unsupported(feature, message);
  warn({ feature, action: "dropped", message });
  return undefined;
}

function mediaFeature({ type, source }: ImageBlock | DocumentBlock): Feature | undefined {
  if (source.kind === "url") return `${type}.url`;
  return type === "image" && source.kind === "file" ? "image.file" : undefined;
}

/** What is said about a document; a plain text that has to become words takes its title and context along. */
function fitWords(block: DocumentBlock, { rules, warn }: Fitting): DocumentBlock {
  if (block.source.kind === "text") return block;
  const { title, context, native: _, ...rest } = block;
  const lostTitle = title !== undefined && rules.lacks["document.title"] !== undefined;
  const lostContext = context !== undefined && rules.lacks["document.context"] !== undefined;
  if (!lostTitle && !lostContext) return block;
  const message = `${rules.wire} has no place for it`;
  if (lostTitle) warn({ feature: "document.title", action: "dropped", message });
  if (lostContext) warn({ feature: "document.context", action: "dropped", message });
  return {
    ...rest,
    ...given({ title: lostTitle ? undefined : title, context: lostContext ? undefined : context }),
  };
}

function fitDetail(block: ImageBlock, { rules, warn }: Fitting): ImageBlock {
  if (block.detail === undefined || rules.lacks["image.detail"] === undefined) return block;
  const { detail, native: _, ...rest } = block;
  const message = `${rules.wire} has no words for how closely to look`;
  if (detail !== "auto") warn({ feature: "image.detail", action: "dropped", message });
  return rest;
}

function fitResult(block: ToolResultBlock, fitting: Fitting): ToolResultBlock {
  const content = block.content.map((part) => fitResultPart(part, fitting));
  if (content.every((part, index) => part === block.content[index])) return block;
  const { native: _, ...rest } = block;
  return { ...rest, content: content.filter((part) => part !== undefined) };
}

function fitResultPart(part: ResultBlock, fitting: Fitting): ResultBlock | undefined {
  if (part.type === "text") return part;
  if (part.type !== "opaque") return fitMedia(part, fitting);
  if (part.native.wire === fitting.rules.wire) return part;
  const message = `${fitting.rules.wire} has no words for it inside a tool's result`;
  fitting.warn({ feature: `block.${part.kind}`, action: "dropped", message });
  return undefined;
}

/** Fields that say nothing to a model: ids, states, and what the canonical model says in other words. */
const BOOKKEEPING: ReadonlySet<string> = new Set(["id", "status", "role", "phase", "caller", "logprobs", "index"]);

function warnOfExtra(owner: string, extra: JsonObject | undefined, { rules, warn }: Fitting): void {
  if (extra === undefined) return;
  for (const [field, value] of Object.entries(extra)) {
    if (value === null || BOOKKEEPING.has(field) || (Array.isArray(value) && value.length === 0)) continue;
    const message = `${rules.wire} has no place for the client's field`;
    warn({ feature: `${owner}.${field}`, action: "dropped", message });
  }
}
