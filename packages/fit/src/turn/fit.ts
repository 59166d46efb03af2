import { type Answer, findStrategy, isDue, mayRunAgain } from "@longhaul/condense";
import type { Epoch } from "@longhaul/store";
import type { Target } from "../destinations/target.ts";
import type { History } from "../history/history.ts";
import type { Call } from "../request/call.ts";
import type { Condensed } from "../work/work.ts";
import { type AnswerAsk, condense, formOf, standIn, withoutSurplusMedia } from "./condense.ts";
import { loweredOutput } from "./limits.ts";
import { openTurn, type TurnContext } from "./open-turn.ts";
import { withReferences } from "./references.ts";
import { hasSurplusMedia } from "./surplus-media.ts";
import { currentForm, epochForm, type Form, rawForm, type Turn } from "./turn.ts";
import { isWorthIt } from "./worth.ts";

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
export interface FitContext extends TurnContext {
  /** Asks the conversation's own model to compact what was sent; nothing where it does not do that. */
  readonly compactor: (turn: Turn, form: Form) => (() => Promise<Answer | undefined>) | undefined;
  /** Who answers the asks of a turn's condensation. */
  readonly summarizer: (turn: Turn, form: Form) => AnswerAsk;
  /** Told of every condensation that is kept, also of those that end when the request is long over. */
  readonly onCondensed: (turn: Turn, epoch: Epoch, condensed: Condensed) => void;
  /** Waits; ends early, with an error, when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Makes a request fit a target: as it came where that is small enough, else as its epoch has it, else condensed. What cannot be made to fit
 * throws `request.too-large`.
 */
export async function fit(call: Call, target: Target, context: FitContext): Promise<Fitted> {
  const turn = await openTurn(call, target, context);
  const current = await currentForm(turn);
  const sent = shouldShrink(turn, current)
    ? await shrink(turn, current, context)
    : fitted(turn, current, originOf(current));
  const fitting = hasSurplusMedia(turn, sent.form) ? await dropMedia(turn, sent) : sent;
  if (!turn.refersEarly) return fitting;
  const form = await withReferences(turn, fitting.form);
  return form === fitting.form ? fitting : fitted(turn, form, fitting.origin === "raw" ? "new" : fitting.origin);
}

function originOf({ epoch }: Form): Fitted["origin"] {
  return epoch === undefined ? "raw" : "reused";
}

/** The request without images that the upstream would refuse: as an earlier turn went without them, else made anew. */
async function dropMedia(turn: Turn, { form }: Fitted): Promise<Fitted> {
  const { state, limits } = turn;
  for (const epoch of await state.shelf.find(turn)) {
    const known = await epochForm(turn, epoch);
    if (known !== undefined && known.tokens <= limits.budgetTokens && !hasSurplusMedia(turn, known)) {
      return fitted(turn, known, "reused");
    }
  }
  return fitted(turn, await withoutSurplusMedia(turn, form), "new");
}

/** Whether the conversation is to be made smaller than it is in this form. */
export function shouldShrink(turn: Turn, form: Form): boolean {
  const { limits: budget, target, compaction, state, scope, history } = turn;
  const { tokens, epoch } = form;
  const strategy = findStrategy(target.context.strategy);
  const compacts = compaction.plan.kind === "none" && compaction.plan.reason === "on-demand";
  const asksModel = strategy.capabilities.summarizes || compacts;
  if (!isDue(tokens, { strategy, budget, thresholdPercent: target.context.threshold, asksModel })) return false;
  const runs = [epoch, state.jobs.lastMiss(scope, history.prefixes())];
  if (runs.some((last) => last !== undefined && !mayRunAgain(last, { tokens, budget }))) return false;
  return tokens > budget.budgetTokens || isWorthIt(turn, form);
}

async function shrink(turn: Turn, current: Form, context: FitContext): Promise<Fitted> {
  const { budgetTokens } = turn.limits;
  const fits = current.tokens <= budgetTokens;
  // No summary makes this fit, so none is paid for.
  if (!fits && mustStayTokens(turn.history) > budgetTokens) return fitted(turn, await standIn(turn, current), "new");
  let kept: Form | undefined;
  const job = condense(turn, {
    from: current,
    compact: context.compactor(turn, current),
    answer: context.summarizer(turn, current),
    onDone: (epoch, condensed) => {
      kept = formOf(turn, epoch, condensed);
      context.onCondensed(turn, epoch, condensed);
    },
    wait: (ms) => context.wait(ms, NEVER),
  });
  const finished = job.done.then(
    () => true,
    () => false,
  );
  await (fits ? Promise.race([job.asked, finished]) : inTime(finished, turn, context));
  const made = kept ?? (await joinedForm(turn));
  if (made !== undefined && made.tokens < current.tokens && made.tokens <= budgetTokens) {
    return fitted(turn, made, "new");
  }
  if (fits) return fitted(turn, current, originOf(current));
  return fitted(turn, await standIn(turn, current), "new");
}

/** A condensation belongs to the conversation: a client that leaves does not end it. */
const NEVER = new AbortController().signal;

/** What another request's condensation, which this one joined, has brought. */
async function joinedForm(turn: Turn): Promise<Form | undefined> {
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
  return { turn, form, originalTokens, origin, ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
}

/**
 * Tokens of a request that stay whatever is done to it, at the least: system, tools, and the user's latest words. Where these stand beside
 * anything that can be taken out, nothing of that message is counted.
 */
export function mustStayTokens({ headTokens, messages, messageTokens }: History): number {
  const latest = messages.findLastIndex(({ isUsersOwn }) => isUsersOwn);
  const isPlain = messages[latest]?.isPlainText === true;
  return headTokens + (isPlain ? (messageTokens[latest] ?? 0) : 0);
}
