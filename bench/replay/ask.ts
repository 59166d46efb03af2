import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import type { Posted, Rig } from "./rig.ts";
import type { Script } from "./script.ts";

/** One turn of a client. */
interface Turn {
  readonly rig: Rig;
  readonly script: Script;
  readonly turn: number;
  /** The turn that the client took before, if any. */
  readonly previous: number | undefined;
}

/** How a client takes a turn. */
export type Ask = (turn: Turn) => Promise<Posted>;

/** Sends all that was said. */
export const askOnce: Ask = (turn) => turn.rig.post(wholeBody(turn));

function wholeBody({ script, turn, previous }: Turn): JsonObject {
  const items = script.itemsAt(turn);
  const ends = [items.length, ...(previous === undefined ? [] : [script.itemsAt(previous).length])];
  return script.bodyOf(items, ends);
}

/** Sends the first message and as many of the newest as fit: what clients do that have nothing better. Calls stay with their results. */
export function askWindowed(fits: (share: number) => boolean): Ask {
  return (asked) => {
    const { rig, script, turn } = asked;
    const items = script.itemsAt(turn);
    const said = script.shareAt(turn);
    const from = turnsBefore(turn).find((first) => fits(said - script.shareAt(first) + script.shareAt(0))) ?? turn;
    if (from === 0) return rig.post(wholeBody(asked));
    // A turn's request ends right before the assistant speaks, so what follows it begins with the assistant's words.
    const kept = [...script.itemsAt(0), ...items.slice(script.itemsAt(from).length)];
    return rig.post(script.bodyOf(kept, [kept.length]));
  };
}

function turnsBefore(turn: number): number[] {
  return Array.from({ length: turn }, (_, at) => at);
}

/** The lowest trigger that the vendor takes. */
const MIN_TRIGGER_TOKENS = 50_000;
const THRESHOLD_BETA = { "anthropic-beta": "compact-2026-01-12" };
const ON_DEMAND_BETA = { "anthropic-beta": "compact-2026-09-04" };

/**
 * Has the vendor compact what is over the trigger, and forgets what it made of it: over the trigger, every turn compacts from scratch. The
 * block is asked for apart where the trigger is lower than the vendor takes; that costs the same.
 */
export function askCompacted(triggerTokens: number, isOver: (share: number) => boolean): Ask {
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
