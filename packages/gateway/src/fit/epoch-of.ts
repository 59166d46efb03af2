import type { Epoch } from "@longhaul/store";
import type { Turn } from "./turn.ts";

/** What of an epoch does not follow from the turn that it is made on. */
type Made = Pick<
  Epoch,
  "strategy" | "from" | "projection" | "isStandIn" | "tokensBefore" | "tokensAfter" | "targetTokens" | "costUsd"
>;

/** An epoch of a turn's conversation, made now. */
export function epochOf({ state, scope, tenant, session, history, target }: Turn, made: Made): Epoch {
  return {
    ...made,
    scope,
    prefix: history.prefixes()[made.projection.messages - 1] ?? "",
    tenant,
    session,
    upstream: target.place.connection.upstream.id,
    model: target.model,
    madeAtMs: state.nowMs(),
  };
}
