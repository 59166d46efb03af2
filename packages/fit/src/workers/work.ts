import {
  type Answer,
  type Ask,
  answerOffline,
  condenseInSteps,
  drive,
  type Misfit,
  type PlanOptions,
  type Projection,
  planCondensation,
  project,
  type Report,
  rawStart,
} from "@longhaul/condense";
import { type Conversation, fingerprint, parseJsonText } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import { sha256 } from "../history/known-messages.ts";
import type { Rendering } from "../history/parts.ts";
import { type Prompt, writeSlots } from "../history/write-slots.ts";

/** A condensation to be made. */
export interface CondenseWork {
  readonly prompt: Prompt;
  readonly plan: PlanOptions;
  /** The form that was sent last and that the condensation continues from, if it was not raw. */
  readonly continues?: Projection;
  /** Whether summaries are made without a model, where the work is done. */
  readonly isOffline?: boolean;
}

/** A conversation made smaller: what to store, what to say, what to send. */
export interface Condensed {
  readonly projection: Projection;
  readonly report: Report;
  /** What is still too large, because it may not be taken away. */
  readonly misfits: readonly Misfit[];
  readonly rendering: Rendering;
}

/** Condenses a request's conversation. */
export async function condenseWork(
  { prompt, plan, continues, isOffline = false }: CondenseWork,
  counter: TokenCounter,
  answer: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): Promise<Condensed> {
  const conversation = readConversation(prompt);
  const running = condenseInSteps(conversation, {
    ...planCondensation(plan),
    counter,
    hash: sha256,
    now: () => performance.now(),
    ...(continues && { continues, sent: continues }),
  });
  const offline = async (asks: readonly Ask[]) => asks.map((ask) => answerOffline(ask, counter));
  const { projection: whole, report, misfits } = await drive(running, isOffline ? offline : answer);
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
  return codecOf(wire).decodeRequest(parseJsonText(new TextDecoder().decode(body)), line).conversation;
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
