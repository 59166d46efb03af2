import {
  type Block,
  isJsonObject,
  type Message,
  type RedactedThinkingBlock,
  type ThinkingBlock,
  type ToolCallBlock,
} from "@longhaul/conversation";
import type { Fitting } from "../codec/rules.ts";
import { base64OfText, textOfBase64 } from "../content/base64.ts";
import { UNSIGNED_CALL } from "../content/signature.ts";
import { given } from "../fields/given.ts";
import { optionalString } from "../fields/read.ts";
import { mapBlocks, withBlocks } from "../fit/blocks.ts";
import { parseData } from "../reply/read-reply.ts";

/** What we call a part that holds a signature and says nothing. */
export const SIGNATURE_ALONE = "thought_signature";

/** A proof that travelled as thinking before its call (clients of other formats have no place for it) is put back on the call. */
export function joinProofs(messages: readonly Message[], { rules }: Fitting): readonly Message[] {
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
export function dropProofs(messages: readonly Message[], { rules, vendor }: Fitting): readonly Message[] {
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
export function signCalls(messages: readonly Message[], { rules, target, vendor, warn }: Fitting): readonly Message[] {
  if (target.signedCalls !== true || vendor !== rules.vendor) return messages;
  return mapBlocks(messages, (block, { blocks }) => {
    if (block.type !== "tool-call" || block.signature !== undefined) return block;
    if (blocks.find(({ type }) => type === "tool-call") !== block) return block;
    const message = "a call without a thought signature is sent with the word that Google takes instead";
    warn({ feature: "tool-call.signature", action: "changed", message });
    return sign(block, UNSIGNED_CALL);
  });
}

/** What a signature begins with that holds another vendor's thinking. Its length keeps what follows decodable as base64. */
const SEAL = "longhaul";

/**
 * Another vendor's thinking on its way through a Gemini client: text, signature and maker in one signature, because Google's SDK keeps the
 * pieces of a stream as contents of their own and a vendor reads its signature only beside the whole text. Some clients decode
 * signatures as bytes and encode them in base64's other alphabet.
 */
export function sealThinking(block: ThinkingBlock | RedactedThinkingBlock): string {
  const { native: _, extra: _extra, ...thinking } = block;
  return `${SEAL}${base64OfText(JSON.stringify(thinking))}`;
}

/** The thinking that a signature holds; nothing where it is a signature of its own. */
export function openThinking(signature: string | undefined): ThinkingBlock | RedactedThinkingBlock | undefined {
  if (signature === undefined || !signature.startsWith(SEAL)) return undefined;
  const sealed = parseData(textOfBase64(signature.slice(SEAL.length)) ?? "");
  if (!isJsonObject(sealed)) return undefined;
  const vendor = optionalString(sealed.vendor);
  if (sealed.type === "redacted-thinking") {
    return given({ type: "redacted-thinking", data: optionalString(sealed.data) ?? "", vendor });
  }
  const text = optionalString(sealed.text) ?? "";
  return given({
    type: "thinking",
    text,
    signature: optionalString(sealed.signature),
    id: optionalString(sealed.id),
    vendor,
  });
}
