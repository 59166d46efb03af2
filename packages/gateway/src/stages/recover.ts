import { findStrategy } from "@longhaul/condense/advanced";
import {
  type Fitted,
  holdsBlock,
  isLongContextRefusal,
  isRefusedBlock,
  learnOverflow,
  learnUnnamed,
  type Pressure,
  pressureAfter,
} from "@longhaul/fit";
import type { Refusal } from "./send.ts";

/** How a refused call is sent again to the same destination. */
export interface Recovery {
  /** Recoveries so far. */
  readonly count: number;
  /** Absent on the first try. */
  readonly refusal?: Refusal;
  /** The size that the next try may have. */
  readonly pressure?: Pressure | undefined;
  /** Called with the form that the upstream accepted. */
  readonly onAnswered?: (accepted: Fitted) => void;
}

export const FIRST_TRY: Recovery = { count: 0 };

const MAX_RECOVERIES = 2;

/** Describes for the log why a call is sent again, and the window that was learned from it. */
export function describeRecovery({ error }: Refusal, fitted: Fitted | undefined): string {
  const { destination, limits, call } = fitted?.fitRequest ?? {};
  const upstream = destination?.handle.connection.upstream.id ?? "";
  const { limitTokens } = error.overflow ?? {};
  const isLearned = limitTokens !== undefined && limitTokens < (limits?.windowTokens ?? 0);
  const learned = isLearned
    ? `; the window of "${destination?.model}" is ${limitTokens} tokens there, not ${limits?.windowTokens}`
    : "";
  const why = error.code === "request.too-large" ? "as too long" : `(${error.code})`;
  return `upstream "${upstream}" rejected request ${call?.id} with status ${error.status} ${why}${learned}; it is changed and sent again`;
}

/** Learns from a refusal and plans the next try: smaller, or without the refused part. Throws the refusal if another try cannot help. */
export async function recover(refusal: Refusal, fitted: Fitted | undefined, { count }: Recovery): Promise<Recovery> {
  if (fitted === undefined || count >= MAX_RECOVERIES) throw refusal;
  const { error } = refusal;
  const { fitRequest, form } = fitted;
  const { state, call, destination } = fitRequest;
  const next = { count: count + 1, refusal };
  if (isLongContextRefusal(error) && !state.learned.isLongContextRefused(call, destination)) {
    state.learned.refuseLongContext(call, destination);
    return next;
  }
  if (form.epoch !== undefined && holdsBlock(form.epoch.projection) && isRefusedBlock(error)) {
    await state.epochs.remove(form.epoch);
    return next;
  }
  if (error.code !== "request.too-large") throw refusal;
  const { overflow = {} } = error;
  learnOverflow(overflow, fitted);
  // A request that is never condensed would be refused again, unless its output limit was too high.
  const isNeverCondensed = findStrategy(destination.context.strategy).isFinal === true;
  if (isNeverCondensed && overflow.outputTokens === undefined) throw refusal;
  const onAnswered = (accepted: Fitted) => learnUnnamed(overflow, fitted, accepted);
  return { ...next, pressure: pressureAfter(overflow, fitted, count), onAnswered };
}
