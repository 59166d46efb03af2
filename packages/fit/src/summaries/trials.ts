import type { Answer, Ask } from "@longhaul/condense";
import type { TokenCounter } from "@longhaul/models";
import { type Called, callModel } from "@longhaul/upstream";
import type { Destination } from "../destinations/destination.ts";
import { type Candidate, candidatesFor } from "./candidates.ts";
import { judge, maxCharacters } from "./judge.ts";
import type { OpenedBody } from "./opened-body.ts";
import { type Appended, appendedForm, outputRoom, textForm, thinkingRoom } from "./request-forms.ts";
import { addSpending, NOTHING_SPENT, type Spending, spendingOf } from "./spending.ts";
import { askTokens, type Counting, countWithPauses, type SummarizerContext, type Writer } from "./summarizer.ts";
import type { AskForm } from "./summary-costs.ts";

export interface Trial {
  readonly writer: Writer;
  run(signal: AbortSignal): Promise<Tried>;
}

export type Tried = { readonly spent: Spending } & ({ readonly text: string } | { readonly why: string });

export interface TrialContext extends SummarizerContext {
  /** Counts like the conversation's own model. */
  readonly counter: TokenCounter;
  /** The sent request, if a message can be appended to it. */
  readonly opened?: OpenedBody | undefined;
  readonly offline: (ask: Ask) => Promise<Answer>;
}

/** Returns the ways to get an ask answered, in the order of trying. The last one needs no model. */
export function trialsFor(ask: Ask, context: TrialContext): readonly Trial[] {
  const models = candidatesFor(ask, context).flatMap((candidate) =>
    "destination" in candidate ? trialsOf(candidate, ask, context) : [failing(candidate)],
  );
  return [...models, { writer: { kind: "offline" }, run: () => runOffline(ask, context) }];
}

function failing({ profile, why }: { readonly profile: string; readonly why: string }): Trial {
  return { writer: { kind: "profile", profile }, run: async () => ({ why, spent: NOTHING_SPENT }) };
}

function trialsOf(candidate: Candidate, ask: Ask, context: TrialContext): Trial[] {
  const appended = candidate.isOwn ? appendedTo(candidate, ask, context) : undefined;
  return [
    ...(appended === undefined
      ? []
      : [
          {
            writer: writerOf(candidate, "appended"),
            run: (signal: AbortSignal) => runAppended(appended, { candidate, ask, context }, signal),
          },
        ]),
    {
      writer: writerOf(candidate, "text"),
      run: (signal) => runText({ candidate, ask, context }, signal),
    },
  ];
}

function writerOf({ destination, profile }: Candidate, form: AskForm): Writer {
  const { id: upstream } = destination.handle.connection.upstream;
  return { kind: "model", upstream, model: destination.model, form, ...(profile !== undefined && { profile }) };
}

function appendedTo(candidate: Candidate, ask: Ask, context: TrialContext): Appended | undefined {
  const { opened, sent, counter } = context;
  if (opened === undefined || sent === undefined) return undefined;
  const windowTokens = context.windowOf(candidate.destination);
  return appendedForm(ask, { opened, tokens: sent.tokens, windowTokens }, { ...candidate, counter });
}

export function counterFor(destination: Destination, context: SummarizerContext): Promise<TokenCounter> {
  const { tokenizer, ratio } = countingOf(destination, context);
  return context.counters.counterFor(tokenizer, ratio);
}

/** Returns how a model counts, as plain data for another thread. */
export function countingOf(destination: Destination, { ratioOf }: Pick<SummarizerContext, "ratioOf">): Counting {
  return { tokenizer: destination.match.model.tokenizer, ratio: ratioOf?.(destination) };
}

interface Asking {
  readonly candidate: Candidate;
  readonly ask: Ask;
  readonly context: TrialContext;
}

async function runAppended(appended: Appended, asking: Asking, signal: AbortSignal): Promise<Tried> {
  const { candidate, ask, context } = asking;
  const call = { handle: candidate.destination.handle, ...appended, maxCharacters: maxCharacters(ask) };
  const called = await callModel(call, context, signal);
  return { ...judged(called, asking), spent: spendingOf(called.usages, candidate.destination.match.model) };
}

/**
 * Shares of the window to use; the second one after the first was rejected as too long. Our count is an estimate, and so is the known
 * window.
 */
const WINDOW_SHARES = [0.95, 0.5] as const;

async function runText(asking: Asking, signal: AbortSignal): Promise<Tried> {
  const { candidate, context } = asking;
  const { destination } = candidate;
  const counter = await counterFor(destination, context);
  await countWithPauses(asking.ask, counter);
  const windowTokens = context.windowOf(destination);
  let spent = NOTHING_SPENT;
  for (const share of WINDOW_SHARES) {
    const ask = await narrowed(asking, Math.floor(windowTokens * share), counter);
    const outgoing = textForm(ask, candidate, outputRoom(ask, destination, windowTokens));
    const promptTokens = askTokens(ask, counter);
    const call = { handle: destination.handle, outgoing, promptTokens, maxCharacters: maxCharacters(ask) };
    const called = await callModel(call, context, signal);
    spent = addSpending(spent, spendingOf(called.usages, destination.match.model));
    const isTooLong = called.kind === "error" && called.error.code === "request.too-large";
    if (!isTooLong) return { ...judged(called, asking), spent };
  }
  return { why: "it rejected every prompt size as too long", spent };
}

async function narrowed({ ask, candidate, context }: Asking, roomTokens: number, counter: TokenCounter): Promise<Ask> {
  const { destination } = candidate;
  const windowTokens = roomTokens - thinkingRoom(destination, roomTokens);
  if (askTokens(ask, counter) + ask.maxTokens <= windowTokens) return ask;
  return await context.workers.narrowAsk(ask, windowTokens, countingOf(destination, context));
}

/** Returns the expected prompt size of an ask in text form: one that exceeds the writer's window is narrowed to it. */
export function expectedTextTokens(ask: Ask, destination: Destination, context: TrialContext): number {
  const roomTokens = Math.floor(context.windowOf(destination) * WINDOW_SHARES[0]);
  const mostTokens = roomTokens - thinkingRoom(destination, roomTokens) - ask.maxTokens;
  return Math.min(askTokens(ask, context.counter), Math.max(0, mostTokens));
}

async function runOffline(ask: Ask, { offline }: TrialContext): Promise<Tried> {
  const answer = await offline(ask);
  if (answer.kind === "text") return { text: answer.text, spent: NOTHING_SPENT };
  return { why: "no summary was possible without a model", spent: NOTHING_SPENT };
}

function judged(called: Called, { ask, context }: Asking): { text: string } | { why: string } {
  return called.kind === "error" ? { why: called.why } : judge(called, ask, context.counter);
}
