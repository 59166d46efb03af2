import {
  answerOffline,
  type Condensation,
  condensing,
  findStrategy,
  type Limits,
  type Misfit,
  type Projection,
  project,
  type Report,
  type Running,
  type Slot,
} from "@longhaul/condense";
import { type Conversation, fingerprint, type Message, type WireId } from "@longhaul/conversation";
import type { Prices, TokenCounter, Tokenizer } from "@longhaul/models";
import { codecOf, type RequestLine } from "@longhaul/wire";
import { sha256 } from "../known-messages.ts";
import { withoutMarks, writeMarkable } from "./cache-mark.ts";
import type { Part, Rendering } from "./parts.ts";

/** A request in its bytes, and how its tokens are counted. Plain data: it may be handed to another thread. */
export interface Prompt {
  readonly body: Uint8Array;
  readonly wire: WireId;
  readonly line: RequestLine;
  /** Who made the messages' signatures. */
  readonly vendor: string;
  readonly tokenizer: Tokenizer;
  readonly ratio: number;
  /** Whether the model takes system messages in mid-conversation. */
  readonly takesSystemMessages: boolean;
}

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
export function* condenseWork(work: CondenseWork, counter: TokenCounter): Running<Condensed> {
  const { prompt, choices, bindsThinking, isOffline = false, ...plan } = work;
  const [first, ...others] = choices.map(({ strategy, config }) => ({ strategy: findStrategy(strategy), config }));
  if (first === undefined) throw new TypeError("a condensation needs a strategy");
  const conversation = readConversation(prompt);
  const running = condensing(conversation, {
    ...plan,
    choices: [first, ...others],
    counter,
    hash: sha256,
    now: () => performance.now(),
    thinking: { binds: bindsThinking },
  });
  const { projection: whole, report, misfits } = isOffline ? answeredOffline(running, counter) : yield* running;
  const projection = trimmed(whole);
  return { projection, report, misfits, rendering: render(conversation, { projection, prompt, counter }) };
}

function answeredOffline(running: Running<Condensation>, counter: TokenCounter): Condensation {
  let step = running.next();
  while (step.done !== true) step = running.next(step.value.map((ask) => answerOffline(ask, counter)));
  return step.value;
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
  const write = codecOf(prompt.wire).messageWriter(conversation, prompt.vendor);
  const parts: Part[] = [];
  const spell = (message: Message) =>
    write(message)
      .map((entry) => JSON.stringify(entry))
      .join(",");
  const slots = project(conversation, projection, sha256).slots.filter((slot) => firstOf(slot) < messages);
  for (const slot of slots) {
    const message = sendable(slot, prompt);
    if (slot.kind === "kept" && slot.changes.length === 0) {
      append(parts, { kind: "kept", from: slot.index, to: slot.index + 1 });
      continue;
    }
    const isMarkable = slot.kind === "kept" || slot === slots.at(-1);
    const written = isMarkable ? writeMarkable(message, prompt.wire, spell) : { json: spell(message) };
    const raw = slot.kind === "kept" ? { raw: slot.index } : {};
    append(parts, { kind: "written", ...written, ...raw, tokens: counter.countMessage(message) });
  }
  const prints = conversation.messages.slice(0, messages).map((message) => fingerprint(message, sha256));
  return { messages, parts, prints, ratio: prompt.ratio };
}

/** A message of ours as the model takes it, without marks: those move from turn to turn, and this is written once. */
function sendable({ kind, message }: Slot, { takesSystemMessages }: Prompt): Message {
  const unmarked = withoutMarks(message);
  const isRefused = kind === "made" && message.role === "system" && !takesSystemMessages;
  return isRefused ? { ...unmarked, role: "user" } : unmarked;
}

function firstOf(slot: Slot): number {
  return slot.kind === "kept" ? slot.index : slot.from;
}

/** Neighbours of one kind become one. */
function append(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (last?.kind === "kept" && part.kind === "kept" && last.to === part.from) {
    parts[parts.length - 1] = { ...last, to: part.to };
  } else parts.push(part);
}
