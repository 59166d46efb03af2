import {
  type Block,
  isJsonObject,
  type Message,
  type Position,
  pureHash,
  type RedactedThinkingBlock,
  type Request,
  type ThinkingBlock,
  type ToolCallBlock,
  toolPairs,
} from "@longhaul/conversation/advanced";
import { mapBlocks, withBlocks, withMessages } from "../adapt/blocks.ts";
import type { AdaptContext } from "../codec/rules.ts";
import { base64OfText, textOfBase64 } from "../content/media.ts";
import { SIGNATURE_PLACEHOLDER } from "../content/signature.ts";
import { defined, optionalString, withoutNative } from "../fields/json.ts";
import { parseEventData } from "../reply/read-reply.ts";

/** Adapts calls and results to the API's requirements: thought signatures, names and order (docs/wire/gemini.md#calls). */
export function adaptCalls(request: Request, context: AdaptContext): Request {
  const steps = [attachSignatures, dropSignatures, signCalls, nameResults, orderResults];
  const settled = steps.reduce((messages, step) => step(messages, context), request.conversation.messages);
  return withMessages(request, settled);
}

function nameResults(messages: readonly Message[]): readonly Message[] {
  const names = new Map<Block | undefined, string>();
  for (const { name, result } of toolPairs(messages).pairs) names.set(blockAt(messages, result), name);
  return mapBlocks(messages, (block) => {
    const name = names.get(block);
    if (block.type !== "tool-result" || block.name !== undefined || name === undefined) return block;
    return { ...withoutNative(block), name };
  });
}

/** Puts results without ids in the order of their calls, which identifies them. */
function orderResults(messages: readonly Message[]): readonly Message[] {
  const ranks = new Map<Block | undefined, number>();
  for (const [rank, { result }] of toolPairs(messages).pairs.entries()) ranks.set(blockAt(messages, result), rank);
  const rankOf = (block: Block) => ranks.get(block) ?? 0;
  const ordered = messages.map((message) => {
    const unnumbered = message.blocks.filter((block) => block.type === "tool-result" && isPlaceholder(block.callId));
    const sorted = unnumbered.toSorted((left, right) => rankOf(left) - rankOf(right));
    if (sorted.every((block, index) => block === unnumbered[index])) return message;
    const next = sorted.values();
    const blocks = message.blocks.map((block) => (unnumbered.includes(block) ? (next.next().value ?? block) : block));
    return withBlocks(message, blocks);
  });
  return ordered.every((message, index) => message === messages[index]) ? messages : ordered;
}

function blockAt(messages: readonly Message[], at: Position | undefined): Block | undefined {
  return at === undefined ? undefined : messages[at.message]?.blocks[at.block];
}

/** Prefix of ids that we make up. They are never sent to Gemini. */
const PLACEHOLDER = "gemini_call_";

/**
 * Returns the id for a call or result without one. Both get the tool's name, so they match. Of several calls with one name, results answer
 * the oldest first (see `toolPairs`), as in Gemini itself.
 */
export function placeholderId(name: string): string {
  return `${PLACEHOLDER}${name}`;
}

/** Returns the id for a call in a reply without one. It is unique across replies, because clients of other formats need that. */
export function replyCallId(replyId: string, serial: number, content: string): string {
  return `${PLACEHOLDER}${replyId === "" ? pureHash(content) : replyId}_${serial}`;
}

/** Whether an id was made up by us. */
export function isPlaceholder(id: string): boolean {
  return id.startsWith(PLACEHOLDER);
}

/** Kind of a part that contains only a signature. */
export const SIGNATURE_ALONE = "thought_signature";

/** Moves signatures from empty thinking blocks back to the calls after them. Clients of other formats carry them that way. */
export function attachSignatures(messages: readonly Message[], { rules }: AdaptContext): readonly Message[] {
  const isCarrier = (block: Block) =>
    block.type === "thinking" &&
    block.text === "" &&
    block.vendor === rules.vendor &&
    block.native?.wire !== rules.wire;
  if (!messages.some(({ blocks }) => blocks.some(isCarrier))) return messages;
  return messages.flatMap((message) => {
    if (!message.blocks.some(isCarrier)) return [message];
    const blocks = message.blocks.flatMap((block, index): readonly Block[] => {
      if (isCarrier(block)) return [];
      const before = message.blocks[index - 1];
      const signature = before?.type === "thinking" && isCarrier(before) ? before.signature : undefined;
      return [block.type === "tool-call" && signature !== undefined ? sign(block, signature) : block];
    });
    return blocks.length === 0 ? [] : [withBlocks(message, blocks)];
  });
}

function sign(call: ToolCallBlock, signature: string): ToolCallBlock {
  if (call.signature !== undefined) return call;
  return { ...withoutNative(call), signature };
}

/** Drops Google's signatures if the server of this format belongs to another vendor. */
export function dropSignatures(messages: readonly Message[], { rules, vendor }: AdaptContext): readonly Message[] {
  return vendor === rules.vendor ? messages : mapBlocks(messages, unsign);
}

function unsign(block: Block): Block | undefined {
  if (block.type === "opaque" && block.kind === SIGNATURE_ALONE) return undefined;
  if (block.type === "tool-call" && block.signature !== undefined) {
    const { native: _, signature: _signature, ...rest } = block;
    return rest;
  }
  if (block.type !== "text" || block.extra?.thoughtSignature === undefined) return block;
  const { native: _, extra, ...rest } = block;
  const { thoughtSignature: _signature, ...others } = extra;
  return { ...rest, extra: others };
}

/** Adds a placeholder if the first call of a round has no signature, which newer models require. Other vendors never get it. */
export function signCalls(
  messages: readonly Message[],
  { rules, destination, vendor, warn }: AdaptContext,
): readonly Message[] {
  if (destination.signedCalls !== true || vendor !== rules.vendor) return messages;
  return mapBlocks(messages, (block, { blocks }) => {
    if (block.type !== "tool-call" || block.signature !== undefined) return block;
    if (blocks.find(({ type }) => type === "tool-call") !== block) return block;
    warn("tool-call.signature", "changed", "a call without a thought signature was sent with Google's placeholder");
    return sign(block, SIGNATURE_PLACEHOLDER);
  });
}

/** Prefix of a signature that contains another vendor's thinking. Its length keeps the rest decodable as base64. */
const WRAPPED = "longhaul";

/**
 * Packs another vendor's thinking into one signature for its way through a Gemini client: text, signature and vendor. Google's SDK splits a
 * stream into separate contents, but a vendor accepts its signature only with the whole text. Some clients decode signatures as bytes and
 * encode them again as base64url.
 */
export function wrapThinking(block: ThinkingBlock | RedactedThinkingBlock): string {
  const { native: _, extra: _extra, ...thinking } = block;
  return `${WRAPPED}${base64OfText(JSON.stringify(thinking))}`;
}

/** Returns the thinking packed into a signature, or undefined for an ordinary signature. */
export function unwrapThinking(signature: string | undefined): ThinkingBlock | RedactedThinkingBlock | undefined {
  if (signature === undefined || !signature.startsWith(WRAPPED)) return undefined;
  const wrapped = parseEventData(textOfBase64(signature.slice(WRAPPED.length)) ?? "");
  if (!isJsonObject(wrapped)) return undefined;
  const vendor = optionalString(wrapped.vendor);
  if (wrapped.type === "redacted-thinking") {
    return defined({ type: "redacted-thinking", data: optionalString(wrapped.data) ?? "", vendor });
  }
  const text = optionalString(wrapped.text) ?? "";
  return defined({
    type: "thinking",
    text,
    signature: optionalString(wrapped.signature),
    id: optionalString(wrapped.id),
    vendor,
  });
}
