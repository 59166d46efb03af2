import type { Block, Message, ToolCallBlock } from "@longhaul/conversation";
import { mapBlocks, withBlocks } from "../fit/blocks.ts";
import type { Fitting } from "../rules.ts";
import { UNSIGNED_CALL } from "../signature.ts";

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
