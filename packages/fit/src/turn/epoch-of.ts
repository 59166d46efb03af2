import type { Epoch } from "@longhaul/store";
import { type Making, proofOf } from "../history/evidence.ts";
import type { Turn } from "./turn.ts";

/** What of an epoch does not follow from the turn that it is made on. */
type Made = Pick<
  Epoch,
  "strategy" | "from" | "projection" | "isStandIn" | "tokensBefore" | "tokensAfter" | "targetTokens" | "costUsd"
>;

/** An epoch of a turn's conversation, made now. */
export function epochOf(turn: Turn, made: Made, making: Omit<Making, "messages">): Epoch {
  const { state, scope, tenant, session, target } = turn;
  return {
    ...made,
    ...proofOf(turn, { ...making, messages: made.projection.messages }),
    scope,
    tenant,
    session,
    upstream: target.place.connection.upstream.id,
    model: target.model,
    madeAtMs: state.nowMs(),
  };
}
