import { findStrategy } from "@longhaul/condense";
import { LonghaulError, type Usage } from "@longhaul/conversation";
import {
  type CondensedNote,
  type Destination,
  decode,
  type FitContext,
  type Fitted,
  fit,
  holdsBlock,
  isLongContextRefusal,
  isRefusedBlock,
  learnOverflow,
  learnUnnamed,
  openFitRequest,
  type Pressure,
  pressureAfter,
  rawForm,
  record,
  sizedNote,
  sizeToSend,
} from "@longhaul/fit";
import type { Call } from "../call.ts";
import type { Snapshot } from "../configuration/snapshot.ts";
import { condensationEvent } from "../events/condensation-event.ts";
import type { Observer } from "../events/observer.ts";
import { makeRequestId } from "../http/request-id.ts";
import type { Memory } from "../memory.ts";
import type { Note } from "../record.ts";
import { refersToItems } from "./recall.ts";
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
  /** Told of condensations. @default nobody */
  readonly observer?: Observer | undefined;
}

/**
 * Makes a call fit a destination; nothing where it is to be left alone, or where fitting itself fails: then the upstream judges what the client
 * sent. What cannot be made to fit throws `request.too-large`.
 */
export async function fitCall(
  call: Call,
  destination: Destination,
  { context, pressure }: { context: FitStageContext; pressure: Pressure | undefined },
): Promise<Fitted | undefined> {
  if (call.endpoint.action !== "generate" || !isManaged(call, destination)) return undefined;
  if (destination.context.mode === "observe") return await observe(call, destination, context);
  const fitted = await fitInFull(call, destination, { ...fittingFor(call, context), pressure }).catch(
    (error: unknown) => {
      if (isTooLarge(error)) throw error;
      return failOpen(error, call, context);
    },
  );
  if (fitted !== undefined) noteSize(fitted, context.note);
  return fitted;
}

/** Finds out what would be done to a call. It is sent as it came, and nothing is spent on what is only watched. */
async function observe(call: Call, destination: Destination, context: FitStageContext): Promise<undefined> {
  const free = { ...destination, context: { ...destination.context, spendCapUsd: 0 } };
  const fitting = { ...fittingFor(call, context), compactor: () => undefined, onCondensed: () => {} };
  const fitted = await fitInFull(call, free, fitting).catch((error: unknown) => {
    if (isTooLarge(error)) context.note({ observed: { refused: error.message } });
    else failOpen(error, call, context);
    return undefined;
  });
  if (fitted === undefined) return;
  const { fitRequest } = fitted;
  const observed = condensedNote(fitted);
  const form = rawForm(fitRequest);
  const learn = (usage: Usage) => record({ ...fitted, form }, usage);
  const sized = sizedNote({ fitRequest, form, originalTokens: form.tokens, origin: "raw" });
  context.note({ learn, sized, ...(observed !== undefined && { observed }) });
}

function noteSize(fitted: Fitted, note: Note): void {
  note({ sized: sizedNote(fitted), condensed: condensedNote(fitted) });
}

function isTooLarge(error: unknown): error is LonghaulError {
  return error instanceof LonghaulError && TOO_LARGE.has(error.code);
}

/** Requests that nothing can make fit: too many tokens that must stay, or a shape over the limits. */
const TOO_LARGE: ReadonlySet<string> = new Set(["request.too-large", "request.body-too-large"]);

/** What goes wrong while a call is made to fit leaves it as it came. */
function failOpen(error: unknown, call: Call, { snapshot }: FitStageContext): undefined {
  const isClients = error instanceof LonghaulError && error.code.startsWith("request.");
  if (!isClients) snapshot.log.bug(error, call.id);
}

/** How large a call's prompt would be when it is sent to a destination, where it would not be sent as it came. */
export async function fittedTokens(
  call: Call,
  destination: Destination,
  context: FitStageContext,
): Promise<number | undefined> {
  if (destination.context.mode !== "on" || !isManaged(call, destination)) return undefined;
  const { memory, snapshot } = context;
  try {
    const fitRequest = await openFitRequest(inFull(call, destination), destination, {
      state: memory.fitting,
      compaction: snapshot.config.compaction,
    });
    return await sizeToSend(fitRequest);
  } catch (error) {
    return failOpen(error, call, context);
  }
}

/** What is to be told of a call that is not sent as it came. */
export function condensedNote({ form, originalTokens, origin }: Fitted): CondensedNote | undefined {
  if (form.epoch === undefined || origin === "raw") return undefined;
  return { originalTokens, sentTokens: form.tokens, strategy: form.epoch.strategy, origin };
}

/** Whether a call's context is ours to manage: nobody switched that off, and the history is in the request. */
function isManaged(call: Call, destination: Destination): boolean {
  if (destination.context.mode === "off") return false;
  return destination.wire !== call.codec.id || !refersToKept(call);
}

/** Whether a call goes on from a history that its vendor keeps and we never see. */
function refersToKept(call: Call): boolean {
  return call.codec.traits.references?.continues(call.value()) ?? false;
}

async function fitInFull(call: Call, destination: Destination, context: FitContext): Promise<Fitted> {
  return await fit(inFull(call, destination), destination, context);
}

/** A call with what it refers to by id in its body, for upstreams that keep nothing: only what is there can be made to fit. */
function inFull(call: Call, { wire }: Destination): Call {
  if (wire === call.codec.id || !(refersToKept(call) || refersToItems(call))) return call;
  const written = call.codec.encodeRequest(call.wholeRequest(), { model: call.model });
  const body = new TextEncoder().encode(JSON.stringify(written.body));
  return decode({ ...call, body });
}

function fittingFor(call: Call, context: FitStageContext): FitContext {
  const { memory, snapshot, signal, wait, observer } = context;
  let estimatedUsd = 0;
  const expect = (usd: number) => {
    estimatedUsd += usd;
  };
  return {
    state: memory.fitting,
    compaction: snapshot.config.compaction,
    signal,
    wait,
    summarizer: (fitRequest, form) => summarizerFor(fitRequest, form, { ...context, expect }),
    compactor: (fitRequest, form) => compactorFor(fitRequest, form, context),
    onCondensed: (fitRequest, epoch, { report }) => {
      const { strategy, tokensBefore, tokensAfter, costUsd, upstream } = epoch;
      const { milliseconds, warnings } = report;
      const figures = { strategy, tokensBefore, tokensAfter, costUsd, ms: Math.round(milliseconds) };
      const told = warnings.length === 0 ? undefined : warnings;
      snapshot.log.condensed({
        id: call.id,
        model: fitRequest.destination.model,
        upstream,
        ...figures,
        warnings: told,
      });
      const { id: requestId, caller } = call;
      const made = { id: makeRequestId(), requestId, keyId: caller.key?.keyId ?? "", atMs: memory.fitting.nowMs() };
      observer?.condensed(condensationEvent({ ...made, epoch, report, estimatedUsd }));
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
  const { fitRequest, form } = fitted;
  const { state, call, destination } = fitRequest;
  if (isLongContextRefusal(error) && !state.learned.isLongContextRefused(call, destination)) {
    state.learned.refuseLongContext(call, destination);
    return { pressure: undefined };
  }
  if (form.epoch !== undefined && holdsBlock(form.epoch.projection) && isRefusedBlock(error)) {
    await state.shelf.remove(form.epoch);
    return { pressure: undefined };
  }
  if (error.code !== "request.too-large") return undefined;
  const { overflow = {} } = error;
  learnOverflow(overflow, fitted);
  // What is never made smaller would be refused again, unless the answer's own limit was too much.
  if (isNeverCondensed(destination) && overflow.outputTokens === undefined) return undefined;
  const onAnswered = (accepted: Fitted) => learnUnnamed(overflow, fitted, accepted);
  return { pressure: pressureAfter(overflow, fitted, recoveries), onAnswered };
}

function isNeverCondensed({ context }: Destination): boolean {
  return findStrategy(context.strategy).isFinal === true;
}
