import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import type { Posted, Rig } from "./rig.ts";
import type { Script } from "./script.ts";

interface ReplayedTurn {
  readonly rig: Rig;
  readonly script: Script;
  readonly turn: number;
  /** The client's previous turn, if any. */
  readonly previous: number | undefined;
}

/** How a client sends a turn. */
export type SendTurn = (turn: ReplayedTurn) => Promise<Posted>;

/** Sends the whole history. */
export const sendAll: SendTurn = (turn) => turn.rig.post(wholeBody(turn));

function wholeBody({ script, turn, previous }: ReplayedTurn): JsonObject {
  const items = script.itemsAt(turn);
  const ends = [items.length, ...(previous === undefined ? [] : [script.itemsAt(previous).length])];
  return script.bodyOf(items, ends);
}

/** Sends the first message and as many of the newest as fit, like a simple client. Calls stay with their results. */
export function sendWindowed(fits: (share: number) => boolean): SendTurn {
  return (request) => {
    const { rig, script, turn } = request;
    const items = script.itemsAt(turn);
    const share = script.shareAt(turn);
    const from = turnsBefore(turn).find((first) => fits(share - script.shareAt(first) + script.shareAt(0))) ?? turn;
    if (from === 0) return rig.post(wholeBody(request));
    // A turn's request ends right before the assistant's message, so the next items begin with it.
    const kept = [...script.itemsAt(0), ...items.slice(script.itemsAt(from).length)];
    return rig.post(script.bodyOf(kept, [kept.length]));
  };
}

function turnsBefore(turn: number): number[] {
  return Array.from({ length: turn }, (_, at) => at);
}

/** The lowest trigger that the vendor accepts. */
const MIN_TRIGGER_TOKENS = 50_000;
const THRESHOLD_BETA = { "anthropic-beta": "compact-2026-01-12" };
const ON_DEMAND_BETA = { "anthropic-beta": "compact-2026-09-04" };

/**
 * Uses the vendor's compaction above the trigger and discards its block, so that every later turn compacts from scratch. Below the vendor's
 * lowest trigger, the block is requested separately, which costs the same.
 */
export function sendCompacted(triggerTokens: number, isOver: (share: number) => boolean): SendTurn {
  return async (turn) => {
    const { rig, script } = turn;
    const body = wholeBody(turn);
    if (triggerTokens >= MIN_TRIGGER_TOKENS) {
      const trigger = { type: "input_tokens", value: triggerTokens };
      return rig.post(
        { ...body, context_management: { edits: [{ type: "compact_20260112", trigger }] } },
        THRESHOLD_BETA,
      );
    }
    if (!isOver(script.shareAt(turn.turn))) return rig.post(body);
    const compacted = await rig.post({ ...body, stream: false, compaction: { type: "summarize" } }, ON_DEMAND_BETA);
    const content = contentOf(compacted.text);
    if (content === undefined) return compacted;
    return rig.post({ ...body, messages: [{ role: "assistant", content }] }, ON_DEMAND_BETA);
  };
}

function contentOf(text: string): JsonValue | undefined {
  const reply: unknown = JSON.parse(text);
  return isJsonObject(reply) && reply.type === "message" ? reply.content : undefined;
}
