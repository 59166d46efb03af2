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
} from "@longhaul/condense/advanced";
import { type Conversation, fingerprint, parseJsonText } from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import { sha256 } from "../history/known-messages.ts";
import type { Rendering } from "../history/parts.ts";
import { type Prompt, writeSlots } from "../history/write-slots.ts";

export interface CondenseWork {
  readonly prompt: Prompt;
  readonly plan: PlanOptions;
  /** The form that was sent last and that the condensation continues from, if it was not raw. */
  readonly continues?: Projection;
  /** Whether summaries are written without a model, on the same thread. */
  readonly isOffline?: boolean;
}

/** A condensed conversation: the projection to store, the report, and the rendering to send. */
export interface Condensed {
  readonly projection: Projection;
  readonly report: Report;
  /** Protected parts that are still too large. */
  readonly misfits: readonly Misfit[];
  readonly rendering: Rendering;
}

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

/** Removes unchanged messages from the end of a projection, so that it is valid for every conversation with the same prefix. */
function trimmed(projection: Projection): Projection {
  const last = projection.entries.at(-1);
  if (last?.kind !== "keep" || last.to !== projection.messages) return projection;
  return { ...projection, messages: last.from, entries: projection.entries.slice(0, -1) };
}

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
