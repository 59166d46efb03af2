import { type Answer, type Ask, answerOffline, findStrategy, type Projection } from "@longhaul/condense";
import type { Epoch } from "@longhaul/store";
import type { Job } from "./jobs.ts";
import { type Form, keyOf, renderedForm, type Turn } from "./turn.ts";
import type { Condensed, CondenseWork, WorkChoice } from "./work.ts";

/** Answers one ask. Never rejects. */
export type AnswerAsk = (ask: Ask) => Promise<Answer>;

/** How a conversation is to be condensed. */
export interface Condensing {
  /** How it is sent until then: its summaries are brought up to date instead of made anew. */
  readonly from: Form;
  readonly answer: AnswerAsk;
  readonly onDone: (epoch: Epoch, condensed: Condensed) => void;
}

/** Condenses the conversation of a turn, or joins whoever is at it already. What comes of it is kept for the turns after this one. */
export function condense(turn: Turn, { from, answer, onDone }: Condensing): Job {
  const { state, scope, history } = turn;
  const prefixes = history.prefixes();
  const running = state.jobs.find(scope, prefixes);
  if (running !== undefined) return running;
  let markAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    markAsked = resolve;
  });
  const done = state.workers
    .condense(workOf(turn, from.epoch?.projection, choicesOf(turn)), (asks) => {
      markAsked();
      return Promise.all(asks.map(answer));
    })
    .then(async (condensed) => {
      if (isSmallEnough(turn, condensed)) onDone(await keep(turn, condensed, false), condensed);
      return condensed;
    })
    .finally(() => markAsked());
  return state.jobs.start(scope, { prefix: prefixes.at(-1) ?? "", messages: prefixes.length, asked, done });
}

/** Makes a conversation fit without a model, for as long as a summary is not there. */
export async function standIn(turn: Turn, from: Form): Promise<Form | undefined> {
  const work = workOf(turn, from.epoch?.projection, [{ strategy: "middle-out" }]);
  const condensed = await turn.state.workers.condense(work, offline(turn));
  if (!isSmallEnough(turn, condensed)) return undefined;
  return formOf(turn, await keep(turn, condensed, true), condensed);
}

/** What the engine was asked for leaves room to grow; what has none may still do. */
function isSmallEnough({ limits }: Turn, { report }: Condensed): boolean {
  return report.tokensAfter <= limits.budgetTokens;
}

/** How the conversation is sent once it is condensed. */
export function formOf(turn: Turn, epoch: Epoch, { rendering }: Condensed): Form {
  return renderedForm(turn, epoch, rendering);
}

function offline({ prompt, state }: Turn) {
  return async (asks: readonly Ask[]) => {
    const counter = await state.counters.counterFor(prompt.tokenizer, prompt.ratio);
    return asks.map((ask) => answerOffline(ask, counter));
  };
}

function workOf(turn: Turn, continues: Projection | undefined, choices: CondenseWork["choices"]): CondenseWork {
  const { prompt, limits, target } = turn;
  const { windowTokens, budgetTokens, targetTokens, triggerTokens } = limits;
  const roomy = Math.floor(triggerTokens * ROOMY_SHARE);
  const { bindsThinking, prices } = target.match.model;
  return {
    prompt,
    choices,
    limits: { windowTokens, targetTokens, budgetTokens: Math.min(budgetTokens, Math.max(targetTokens, roomy)) },
    bindsThinking,
    ...(continues === undefined ? {} : { continues, sent: continues }),
    ...(prices === undefined ? {} : { prices }),
  };
}

/** What is cut to the last token would be cut again on the next turn. */
const ROOMY_SHARE = 0.85;

function choicesOf({ target }: Turn): CondenseWork["choices"] {
  const { strategy, config, fallbacks, prompt } = target.context;
  const others = fallbacks.filter((id) => id !== strategy);
  return [withPrompt({ strategy, config }, prompt), ...others.map((id) => withPrompt({ strategy: id }, prompt))];
}

/** Only strategies that summarise take a prompt. */
function withPrompt(choice: WorkChoice, prompt: string | undefined): WorkChoice {
  if (prompt === undefined || !findStrategy(choice.strategy).schema.safeParse({ prompt }).success) return choice;
  return { ...choice, config: { ...Object(choice.config), prompt } };
}

async function keep(turn: Turn, condensed: Condensed, isStandIn: boolean): Promise<Epoch> {
  const { state, scope, session, history, target, limits, prompt } = turn;
  const { projection, report, rendering } = condensed;
  const epoch: Epoch = {
    scope,
    prefix: history.prefixes()[projection.messages - 1] ?? "",
    tenant: turn.tenant,
    session,
    upstream: target.place.connection.upstream.id,
    model: target.model,
    strategy: report.strategy,
    from: 0,
    projection,
    isStandIn,
    tokensBefore: report.tokensBefore,
    tokensAfter: report.tokensAfter,
    targetTokens: limits.targetTokens,
    costUsd: report.costUsd,
    madeAtMs: state.nowMs(),
  };
  state.renderings.keep(keyOf(epoch), prompt.wire, rendering);
  await state.shelf.put(epoch);
  return epoch;
}
