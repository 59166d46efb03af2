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
} from "@longhaul/conversation";
import { mapBlocks, withBlocks, withMessages } from "../adapt/blocks.ts";
import type { AdaptContext } from "../codec/rules.ts";
import { base64OfText, textOfBase64 } from "../content/media.ts";
import { SIGNATURE_PLACEHOLDER } from "../content/signature.ts";
import { defined, optionalString } from "../fields/json.ts";
import { parseEventData } from "../reply/read-reply.ts";

/** Settles what the API wants of calls and results: proofs of the thinking behind them, names, and an order (docs/wire/gemini.md#calls). */
export function adaptCalls(request: Request, context: AdaptContext): Request {
  const steps = [attachSignatures, dropSignatures, signCalls, nameResults, orderResults];
  const settled = steps.reduce((messages, step) => step(messages, context), request.conversation.messages);
  return withMessages(request, settled);
}

/** Every result says whose it is. */
function nameResults(messages: readonly Message[]): readonly Message[] {
  const names = new Map<Block | undefined, string>();
  for (const { name, result } of toolPairs(messages).pairs) names.set(blockAt(messages, result), name);
  return mapBlocks(messages, (block) => {
    const name = names.get(block);
    if (block.type !== "tool-result" || block.name !== undefined || name === undefined) return block;
    const { native: _, ...rest } = block;
    return { ...rest, name };
  });
}

/** Without ids, results are told apart by their order: that of the calls. */
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

/** What an id begins with that stands for none. Such ids are never sent to Gemini. */
const PLACEHOLDER = "gemini_call_";

/**
 * The id of a call or a result that came without one. Both have the tool's name, so they find each other: of several calls of one name
 * the results answer the oldest first (see `toolPairs`), which is how Gemini itself reads them.
 */
export function placeholderId(name: string): string {
  return `${PLACEHOLDER}${name}`;
}

/** The id of a call without one in a reply: unlike any in other replies, because clients of other formats tell calls apart by it. */
export function replyCallId(replyId: string, serial: number, words: string): string {
  return `${PLACEHOLDER}${replyId === "" ? pureHash(words) : replyId}_${serial}`;
}

/** Whether an id stands for none. */
export function isPlaceholder(id: string): boolean {
  return id.startsWith(PLACEHOLDER);
}

/** What we call a part that holds a signature and says nothing. */
export const SIGNATURE_ALONE = "thought_signature";

/** A proof that travelled as thinking before its call (clients of other formats have no place for it) is put back on the call. */
export function attachSignatures(messages: readonly Message[], { rules }: AdaptContext): readonly Message[] {
  const isProof = (block: Block) =>
    block.type === "thinking" &&
    block.text === "" &&
    block.vendor === rules.vendor &&
    block.native?.wire !== rules.wire;
  if (!messages.some(({ blocks }) => blocks.some(isProof))) return messages;
  return messages.flatMap((message) => {
    if (!message.blocks.some(isProof)) return [message];
    const blocks = message.blocks.flatMap((block, index): readonly Block[] => {
      if (isProof(block)) return [];
      const before = message.blocks[index - 1];
      const proof = before?.type === "thinking" && isProof(before) ? before.signature : undefined;
      return [block.type === "tool-call" && proof !== undefined ? sign(block, proof) : block];
    });
    return blocks.length === 0 ? [] : [withBlocks(message, blocks)];
  });
}

function sign(call: ToolCallBlock, signature: string): ToolCallBlock {
  if (call.signature !== undefined) return call;
  const { native: _, ...rest } = call;
  return { ...rest, signature };
}

/** A server of another vendor that speaks this format is not shown Google's signatures. */
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

/** Newer models refuse a round of calls whose first one has no signature. No other vendor is ever shown the substitute. */
export function signCalls(
  messages: readonly Message[],
  { rules, destination, vendor, warn }: AdaptContext,
): readonly Message[] {
  if (destination.signedCalls !== true || vendor !== rules.vendor) return messages;
  return mapBlocks(messages, (block, { blocks }) => {
    if (block.type !== "tool-call" || block.signature !== undefined) return block;
    if (blocks.find(({ type }) => type === "tool-call") !== block) return block;
    const message = "a call without a thought signature is sent with the word that Google takes instead";
    warn({ feature: "tool-call.signature", action: "changed", message });
    return sign(block, SIGNATURE_PLACEHOLDER);
  });
}

/** What a signature begins with that holds another vendor's thinking. Its length keeps what follows decodable as base64. */
const SEAL = "longhaul";

/**
 * Another vendor's thinking on its way through a Gemini client: text, signature and maker in one signature, because Google's SDK keeps the
 * pieces of a stream as contents of their own and a vendor reads its signature only beside the whole text. Some clients decode
 * signatures as bytes and encode them in base64's other alphabet.
 */
export function wrapThinking(block: ThinkingBlock | RedactedThinkingBlock): string {
  const { native: _, extra: _extra, ...thinking } = block;
  return `${SEAL}${base64OfText(JSON.stringify(thinking))}`;
}

/** The thinking that a signature holds; nothing where it is a signature of its own. */
export function unwrapThinking(signature: string | undefined): ThinkingBlock | RedactedThinkingBlock | undefined {
  if (signature === undefined || !signature.startsWith(SEAL)) return undefined;
  const sealed = parseEventData(textOfBase64(signature.slice(SEAL.length)) ?? "");
  if (!isJsonObject(sealed)) return undefined;
  const vendor = optionalString(sealed.vendor);
  if (sealed.type === "redacted-thinking") {
    return defined({ type: "redacted-thinking", data: optionalString(sealed.data) ?? "", vendor });
  }
  const text = optionalString(sealed.text) ?? "";
  return defined({
    type: "thinking",
    text,
    signature: optionalString(sealed.signature),
    id: optionalString(sealed.id),
    vendor,
  });
}
