import { LonghaulError } from "@longhaul/conversation";
import {
  type CondensedNote,
  type Destination,
  decode,
  type FitContext,
  type Fitted,
  fit,
  openFitRequest,
  rawForm,
  sizedNote,
  sizeToSend,
} from "@longhaul/fit";
import type { Call, RequestContext } from "../request/request-context.ts";
import { refersToItems } from "./recall.ts";
import { recordCondensation } from "./record.ts";
import type { Recovery } from "./recover.ts";
import { compactorFor, summarizerFor } from "./summarize.ts";

/** Fitting needs neither the keys nor the time of day. */
type FitStageContext = Omit<RequestContext, "access" | "nowSeconds">;

interface Destined {
  readonly call: Call;
  readonly destination: Destination;
}

/**
 * Makes a call fit its destination. Returns undefined if the context is not managed or if fitting fails: then the upstream decides about
 * the original. Throws `request.too-large` if the call cannot be made to fit, or the refusal that the recovery is for.
 */
export async function fitCall(
  destined: Destined,
  recovery: Recovery,
  context: FitStageContext,
): Promise<Fitted | undefined> {
  context.record.calibration = undefined;
  if (destined.call.endpoint.action !== "generate" || !isManaged(destined)) return undefined;
  if (destined.destination.context.mode === "observe") return await observe(destined, context);
  const { call } = destined;
  const fitted = await fitInFull(destined, { ...fittingFor(call, context), pressure: recovery.pressure }).catch(
    (error: unknown) => {
      if (isTooLarge(error)) throw recovery.refusal ?? error;
      return failOpen(error, call, context);
    },
  );
  if (fitted === undefined) return undefined;
  const { record } = context;
  record.sized = sizedNote(fitted);
  record.condensed = condensedNote(fitted);
  record.calibration = fitted;
  return fitted;
}

/** Records how a call would be condensed. The original is sent, and nothing is spent on summaries. */
async function observe({ call, destination }: Destined, context: FitStageContext): Promise<undefined> {
  const { record } = context;
  const free = { ...destination, context: { ...destination.context, spendCapUsd: 0 } };
  const fitting = { ...fittingFor(call, context), compactor: () => undefined, onCondensed: () => {} };
  const fitted = await fitInFull({ call, destination: free }, fitting).catch((error: unknown) => {
    if (isTooLarge(error)) record.observed = { refused: error.message };
    else failOpen(error, call, context);
    return undefined;
  });
  if (fitted === undefined) return;
  const { fitRequest } = fitted;
  const form = rawForm(fitRequest);
  const observed = condensedNote(fitted);
  if (observed !== undefined) record.observed = observed;
  record.sized = sizedNote({ fitRequest, form, originalTokens: form.tokens, origin: "raw" });
  record.calibration = { ...fitted, form };
}

function isTooLarge(error: unknown): error is LonghaulError {
  return error instanceof LonghaulError && TOO_LARGE.has(error.code);
}

/** Requests that cannot be made to fit: too many protected tokens, or a shape over the limits. */
const TOO_LARGE: ReadonlySet<string> = new Set(["request.too-large", "request.body-too-large"]);

/** Logs a failure of our own; the original is sent instead. */
function failOpen(error: unknown, call: Call, { snapshot }: FitStageContext): undefined {
  const isClients = error instanceof LonghaulError && error.code.startsWith("request.");
  if (!isClients) snapshot.log.bug(error, call.id);
}

/** Returns the prompt size of a call in tokens, by our own count. Known messages are not read again. */
export async function promptSize(
  call: Call,
  destination: Destination,
  { memory }: Pick<RequestContext, "memory">,
): Promise<number> {
  const { fitting } = memory;
  const counter = await fitting.counter(destination.match.model.tokenizer, fitting.learned.ratio(destination));
  return (await fitting.histories.read(call, counter)).tokens;
}

/** Records the prompt size by our own count, if the operator logs it. */
export async function recordPromptSize(
  call: Call,
  destination: Destination | undefined,
  context: RequestContext,
): Promise<void> {
  if (!context.snapshot.config.log.tokens || destination === undefined) return;
  context.record.promptTokens = await promptSize(call, destination, context);
}

/** Returns the prompt size that a call would have when sent; undefined if the original would be sent. */
export async function fittedTokens(destined: Destined, context: FitStageContext): Promise<number | undefined> {
  const { call, destination } = destined;
  if (destination.context.mode !== "on" || !isManaged(destined)) return undefined;
  const { memory, snapshot } = context;
  try {
    const { compaction } = snapshot.config;
    return await sizeToSend(await openFitRequest(inFull(destined), destination, { state: memory.fitting, compaction }));
  } catch (error) {
    return failOpen(error, call, context);
  }
}

/** Describes how a call was condensed; undefined if the original was sent. */
export function condensedNote({ form, originalTokens, origin }: Fitted): CondensedNote | undefined {
  if (form.epoch === undefined || origin === "raw") return undefined;
  const { strategy, tokensBefore } = form.epoch;
  return { originalTokens, sentTokens: form.tokens, strategy, origin, isDeduplicated: tokensBefore === 0 };
}

/** Whether context management is on and the history is in the request. */
function isManaged({ call, destination }: Destined): boolean {
  if (destination.context.mode === "off") return false;
  return destination.wire !== call.codec.id || !refersToKept(call);
}

/** Whether a call continues a history that the vendor stores and the gateway never sees. */
function refersToKept(call: Call): boolean {
  return call.codec.traits.references?.continues(call.outlineValue()) ?? false;
}

async function fitInFull(destined: Destined, context: FitContext): Promise<Fitted> {
  return await fit(inFull(destined), destined.destination, context);
}

/** Returns a call whose body contains what it refers to by id, for upstreams that store nothing. */
function inFull({ call, destination }: Destined): Call {
  if (destination.wire === call.codec.id || !(refersToKept(call) || refersToItems(call))) return call;
  const { body } = call.codec.encodeRequest(call.wholeRequest(), { model: call.model });
  return decode({ ...call, body: new TextEncoder().encode(JSON.stringify(body)) });
}

function fittingFor(call: Call, context: FitStageContext): FitContext {
  const { memory, snapshot, signal, wait } = context;
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
    onCondensed: (fitRequest, report) => recordCondensation(call, { fitRequest, report, estimatedUsd }, context),
  };
}
