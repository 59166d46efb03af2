import { LonghaulError } from "@longhaul/conversation";
import type { Call } from "../call.ts";
import { isRefusedBlock } from "../compaction/refused-block.ts";
import { isLongContextRefusal } from "../compaction/removed-betas.ts";
import { holdsBlock } from "../fit/blocks.ts";
import { type FitContext, type Fitted, fit } from "../fit/fit.ts";
import type { Pressure } from "../fit/open-turn.ts";
import { learnOverflow, learnUnnamed, pressureAfter } from "../fit/recover.ts";
import type { Memory } from "../memory.ts";
import type { CondensedNote, Note } from "../record.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Target } from "../target.ts";
import { compactorFor, summarizerFor } from "./summarize.ts";

/** What fitting takes from outside. */
export interface FitStageContext {
  readonly memory: Memory;
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
  readonly random: () => number;
  /** Waits; ends early, with an error, when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly note: Note;
}

/**
 * Makes a call fit a target; nothing where it is to be left alone, or where fitting itself fails: then the upstream judges what the client
 * sent. What cannot be made to fit throws `request.too-large`.
 */
export async function fitCall(
  call: Call,
  target: Target,
  { context, pressure }: { context: FitStageContext; pressure: Pressure | undefined },
): Promise<Fitted | undefined> {
  if (!isManaged(call, target)) return undefined;
  const fitted = await fit(call, target, { ...fittingFor(call, context), pressure }).catch((error: unknown) => {
    if (error instanceof LonghaulError && error.code === "request.too-large") throw error;
    if (!(error instanceof LonghaulError) || !error.code.startsWith("request."))
      context.snapshot.log.bug(error, call.id);
    return undefined;
  });
  if (fitted === undefined) return undefined;
  const isObserved = target.context.mode === "observe";
  const note = condensedNote(fitted);
  if (note !== undefined) context.note(isObserved ? { observed: note } : { condensed: note });
  return isObserved ? undefined : fitted;
}

/** What is to be told of a call that is not sent as it came. */
export function condensedNote({ form, originalTokens, origin }: Fitted): CondensedNote | undefined {
  if (form.epoch === undefined || origin === "raw") return undefined;
  return { originalTokens, sentTokens: form.tokens, strategy: form.epoch.strategy, origin };
}

/** Whether a call's context is ours to manage: nobody switched that off, and the history is in the request. */
function isManaged(call: Call, target: Target): boolean {
  if (call.endpoint.action !== "generate" || target.context.mode === "off") return false;
  if (/^(?:true|1)$/i.test(call.headers["x-disable-compression"]?.trim() ?? "")) return false;
  return target.wire !== "openai-responses" || call.codec.id !== target.wire || !refersToKept(call);
}

/** Responses upstreams keep histories that we never see. */
function refersToKept(call: Call): boolean {
  const { previous_response_id: previous = null, conversation = null } = call.value();
  return previous !== null || conversation !== null;
}

function fittingFor(call: Call, context: FitStageContext): FitContext {
  const { memory, snapshot, signal, wait } = context;
  return {
    state: memory.fitting,
    compaction: snapshot.config.compaction,
    signal,
    wait,
    summarizer: (turn, form) => summarizerFor(turn, form, context),
    compactor: (turn, form) => compactorFor(turn, form, context),
    onCondensed: (turn, epoch, { report }) => {
      const { strategy, tokensBefore, tokensAfter, costUsd, upstream } = epoch;
      const { milliseconds, warnings } = report;
      const figures = { strategy, tokensBefore, tokensAfter, costUsd, ms: Math.round(milliseconds) };
      const told = warnings.length === 0 ? undefined : warnings;
      snapshot.log.condensed({ id: call.id, model: turn.target.model, upstream, ...figures, warnings: told });
    },
  };
}

/** How often a request is sent again after an upstream said that it was too long. */
const MAX_RECOVERIES = 2;

/** How to send a refused request again: smaller, or without what was refused. */
export interface Recovery {
  readonly pressure: Pressure | undefined;
  /** Told when the next try is answered. */
  readonly onAnswered?: (accepted: Fitted) => void;
}

/** What an upstream's refusal means for the next try; nothing where there is none. What it teaches is remembered. */
export async function recoveryFrom(
  error: LonghaulError,
  fitted: Fitted | undefined,
  recoveries: number,
): Promise<Recovery | undefined> {
  if (fitted === undefined || recoveries >= MAX_RECOVERIES) return undefined;
  const { turn, form } = fitted;
  const { state, call, target } = turn;
  if (isLongContextRefusal(error) && !state.learned.isLongContextRefused(call, target)) {
    state.learned.refuseLongContext(call, target);
    return { pressure: undefined };
  }
  if (form.epoch !== undefined && holdsBlock(form.epoch.projection) && isRefusedBlock(error)) {
    await state.shelf.remove(form.epoch);
    return { pressure: undefined };
  }
  if (error.code !== "request.too-large") return undefined;
  const { overflow = {} } = error;
  learnOverflow(overflow, fitted);
  const onAnswered = (accepted: Fitted) => learnUnnamed(overflow, fitted, accepted);
  return { pressure: pressureAfter(overflow, fitted, recoveries), onAnswered };
}
