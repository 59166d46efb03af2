import type { Epoch } from "@longhaul/store";
import { type Making, proofOf } from "../history/evidence.ts";
import type { FitRequest } from "./fit-request.ts";

/** What of an epoch does not follow from the turn that it is made on. */
type Made = Pick<
  Epoch,
  "strategy" | "from" | "projection" | "isStandIn" | "tokensBefore" | "tokensAfter" | "targetTokens" | "costUsd"
>;

/** An epoch of a turn's conversation, made now. */
export function epochOf(fitRequest: FitRequest, made: Made, making: Omit<Making, "messages">): Epoch {
  const { state, scope, tenant, session, destination } = fitRequest;
  return {
    ...made,
    ...proofOf(fitRequest, { ...making, messages: made.projection.messages }),
    scope,
    tenant,
    session,
    upstream: destination.handle.connection.upstream.id,
    model: destination.model,
    madeAtMs: state.nowMs(),
  };
}
