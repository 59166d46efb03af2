import {
  answerOffline,
  condenseInSteps,
  driveSync,
  findStrategy,
  type Limits,
  type Misfit,
  type Projection,
  project,
  type Report,
  type RunSteps,
  rawStart,
} from "@longhaul/condense";
import { type Conversation, fingerprint } from "@longhaul/conversation";
import type { Prices, TokenCounter } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import type { Rendering } from "../history/parts.ts";
import type { Prompt } from "../history/prompt.ts";
import { writeSlots } from "../history/write-slots.ts";
import { sha256 } from "../known/known-messages.ts";

/** A condensation to be made. */
export interface CondenseWork {
  readonly prompt: Prompt;
  /** Tried in order. */
  readonly choices: readonly [WorkChoice, ...WorkChoice[]];
  readonly limits: Limits;
  /** Whether the model binds its thinking to the exact prefix. */
  readonly bindsThinking: boolean;
  /** How the conversation was sent last, where that was not raw. */
  readonly sent?: Projection;
  /** What to go on from. */
  readonly continues?: Projection;
  readonly prices?: Prices;
  /** Whether summaries are made without a model, where the work is done. */
  readonly isOffline?: boolean;
}

/** A strategy by its id, with its configuration. */
export interface WorkChoice {
  readonly strategy: string;
  readonly config?: unknown;
}

/** A conversation made smaller: what to store, what to say, what to send. */
export interface Condensed {
  readonly projection: Projection;
  readonly report: Report;
  /** What is still too large, because it may not be taken away. */
  readonly misfits: readonly Misfit[];
  readonly rendering: Rendering;
}

/** Condenses a request's conversation. Yields asks; calls nothing. */
export function* condenseWork(work: CondenseWork, counter: TokenCounter): RunSteps<Condensed> {
  const { prompt, choices, bindsThinking, isOffline = false, ...plan } = work;
  const [first, ...others] = choices.map(({ strategy, config }) => ({ strategy: findStrategy(strategy), config }));
  if (first === undefined) throw new TypeError("a condensation needs a strategy");
  const conversation = readConversation(prompt);
  const running = condenseInSteps(conversation, {
    ...plan,
    choices: [first, ...others],
    counter,
    hash: sha256,
    now: () => performance.now(),
    thinking: { binds: bindsThinking },
  });
  const {
    projection: whole,
    report,
    misfits,
  } = isOffline ? driveSync(running, (ask) => answerOffline(ask, counter)) : yield* running;
  const projection = trimmed(whole);
  return { projection, report, misfits, rendering: render(conversation, { projection, prompt, counter }) };
}

/** A projection without the messages at its end that it keeps as they are: it holds for every conversation that only begins the same. */
function trimmed(projection: Projection): Projection {
  const last = projection.entries.at(-1);
  if (last?.kind !== "keep" || last.to !== projection.messages) return projection;
  return { ...projection, messages: last.from, entries: projection.entries.slice(0, -1) };
}

/** Writes what a projection makes of a request's conversation. */
export function renderWork(prompt: Prompt, projection: Projection, counter: TokenCounter): Rendering {
  return render(readConversation(prompt), { projection, prompt, counter });
}

function readConversation({ body, wire, line }: Prompt): Conversation {
  return codecOf(wire).decodeRequest(JSON.parse(new TextDecoder().decode(body)), line).conversation;
}

interface Rendered {
  readonly projection: Projection;
  readonly prompt: Prompt;
  readonly counter: TokenCounter;
}

function render(conversation: Conversation, { projection, prompt, counter }: Rendered): Rendering {
  const { messages } = projection;
  const slots = project(conversation, projection, sha256).slots.filter((slot) => rawStart(slot) < messages);
  const parts = writeSlots([], slots, { conversation, prompt, counter });
  const prints = conversation.messages.slice(0, messages).map((message) => fingerprint(message, sha256));
  return { messages, parts, prints, ratio: prompt.ratio };
}
