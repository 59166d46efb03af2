import { findStrategy, shouldCondense } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import type { Epoch } from "@longhaul/store";
import type { Call } from "../call.ts";
import type { Target } from "../target.ts";
import { type AnswerAsk, condense, formOf, standIn } from "./condense.ts";
import { limitsOf, loweredOutput, type RequestLimits, windowOf, within } from "./limits.ts";
import { scopeOf, sessionOf } from "./scope.ts";
import type { FitState } from "./state.ts";
import { currentForm, type Form, rawForm, type Turn } from "./turn.ts";
import type { Condensed } from "./work.ts";

/** A request made to fit a target. */
export interface Fitted {
  readonly turn: Turn;
  /** How it is sent. */
  readonly form: Form;
  /** As it came, in tokens. */
  readonly originalTokens: number;
  /** Whether its beginning was condensed for this request, or for an earlier one. */
  readonly origin: "raw" | "new" | "reused";
  /** The most tokens for the answer, where what the client wants does not fit beside the prompt. */
  readonly maxOutputTokens?: number;
}

/** What fitting takes from outside. */
export interface FitContext {
  readonly state: FitState;
  /** Set where the request was refused before. */
  readonly pressure?: Pressure | undefined;
  /** Who answers the asks of a turn's condensation. */
  readonly summarizer: (turn: Turn, form: Form) => AnswerAsk;
  /** Told of every condensation that is kept, also of those that end when the request is long over. */
  readonly onCondensed: (turn: Turn, epoch: Epoch, condensed: Condensed) => void;
  /** Waits; ends early, with an error, when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** What an upstream's refusal says of a request that was sent before: it may not have more than this. */
export interface Pressure {
  readonly maxTokens: number;
}

/**
 * Makes a request fit a target: as it came where that is small enough, else as its epoch has it, else condensed. What cannot be made to fit
 * throws `request.too-large`.
 */
export async function fit(call: Call, target: Target, context: FitContext): Promise<Fitted> {
  const turn = await openTurn(call, target, context);
  const current = await currentForm(turn);
  if (!isTooLarge(turn, current)) return fitted(turn, current, current.epoch === undefined ? "raw" : "reused");
  return await shrink(turn, current, context);
}

/** Looks at a request on its way to a target. */
export async function openTurn(
  call: Call,
  target: Target,
  { state, pressure }: Pick<FitContext, "state" | "pressure">,
): Promise<Turn> {
  const { model } = target.match;
  const ratio = state.learned.ratio(target);
  const counter = await state.counters.counterFor(model.tokenizer, ratio);
  const history = state.histories.read(call, counter);
  const windowTokens = windowOf(target, state.learned.window(call, target));
  const limits = within(limitsOf(target, history.head, windowTokens), pressure?.maxTokens ?? Number.POSITIVE_INFINITY);
  const { vendor } = target.place.connection.upstream.deployment;
  const prompt = {
    body: call.body,
    wire: call.codec.id,
    line: lineOf(call),
    vendor,
    tokenizer: model.tokenizer,
    ratio,
    takesSystemMessages: !model.rejects.includes("system-message"),
  };
  const tenant = "";
  const scope = scopeOf(target, tenant);
  return { call, target, history, limits, scope, tenant, session: sessionOf(call, history), ratio, prompt, state };
}

function lineOf({ endpoint }: Call): Turn["prompt"]["line"] {
  const { model, stream } = endpoint;
  return { ...(model === undefined ? {} : { model }), ...(stream === undefined ? {} : { stream }) };
}

function isTooLarge({ limits, target }: Turn, { tokens, epoch }: Form): boolean {
  if (findStrategy(target.context.strategy).isFinal === true) return false;
  if (!shouldCondense(tokens, limits)) return false;
  return epoch === undefined || !isPoor(epoch) || mayTryAgain(epoch, tokens, limits);
}

const LEAST_GAIN = 0.1;
const GROWTH_SHARE = 0.05;

/** A condensation that gained little or missed its target would only do so again. */
function isPoor({ tokensBefore, tokensAfter, targetTokens }: Epoch): boolean {
  return tokensAfter > tokensBefore * (1 - LEAST_GAIN) || tokensAfter > targetTokens;
}

function mayTryAgain({ tokensAfter }: Epoch, tokens: number, { windowTokens, budgetTokens }: RequestLimits): boolean {
  return tokens > budgetTokens || tokens > tokensAfter + windowTokens * GROWTH_SHARE;
}

async function shrink(turn: Turn, current: Form, context: FitContext): Promise<Fitted> {
  const fits = current.tokens <= turn.limits.budgetTokens;
  let kept: Form | undefined;
  const job = condense(turn, {
    from: current,
    answer: context.summarizer(turn, current),
    onDone: (epoch, condensed) => {
      kept = formOf(turn, epoch, condensed);
      context.onCondensed(turn, epoch, condensed);
    },
  });
  const finished = job.done.then(
    () => true,
    () => false,
  );
  await (fits ? Promise.race([job.asked, finished]) : inTime(finished, turn, context));
  const made = kept ?? (await smallest(turn));
  if (made !== undefined && made.tokens < current.tokens && made.tokens <= turn.limits.budgetTokens) {
    return fitted(turn, made, "new");
  }
  if (fits) return fitted(turn, current, current.epoch === undefined ? "raw" : "reused");
  const stand = await standIn(turn, current);
  if (stand === undefined) throw tooLarge(turn);
  return fitted(turn, stand, "new");
}

/** What another request's condensation, which this one joined, has brought. */
async function smallest(turn: Turn): Promise<Form | undefined> {
  const form = await currentForm(turn);
  return form.epoch === undefined ? undefined : form;
}

async function inTime(finished: Promise<unknown>, { target }: Turn, { wait, signal }: FitContext): Promise<void> {
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);
  const late = wait(target.context.waitSeconds * 1_000, ends).catch(() => {});
  await Promise.race([finished, late]);
  stop.abort();
}

function fitted(turn: Turn, form: Form, origin: Fitted["origin"]): Fitted {
  const maxOutputTokens = loweredOutput(turn.limits, form.tokens);
  const originalTokens = form.epoch === undefined ? form.tokens : rawForm(turn).tokens;
  return { turn, form, originalTokens, origin, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) };
}

/** Says what is too large and by how much, in numbers that clients read. */
function tooLarge({ history, limits }: Turn): LonghaulError {
  const { budgetTokens, windowTokens } = limits;
  const last = history.messageTokens.at(-1) ?? 0;
  const parts = `system and tools take ${history.headTokens} tokens, the last message ${last}`;
  return new LonghaulError(
    "request.too-large",
    `the parts of this request that must stay do not fit: ${parts}, and ${budgetTokens} may be sent; shorten them, or use a model with a larger window`,
    { overflow: { actualTokens: history.tokens, limitTokens: windowTokens } },
  );
}
