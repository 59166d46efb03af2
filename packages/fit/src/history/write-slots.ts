import type { Slot } from "@longhaul/condense";
import type { Conversation, Message, WireId } from "@longhaul/conversation";
import type { TokenCounter, Tokenizer } from "@longhaul/models";
import { codecOf, type RequestLine, systemAsUser } from "@longhaul/wire";
import { withoutMarks, writeMarkable } from "./cache-mark.ts";
import type { Part } from "./parts.ts";

/** What messages are written with. */
export interface Writing {
  /** The conversation that they are part of. */
  readonly conversation: Conversation;
  readonly prompt: Prompt;
  readonly counter: TokenCounter;
}

/** The parts before these slots, and theirs: what stays as it came is named, all else is written. */
export function writeSlots(before: readonly Part[], slots: readonly Slot[], writing: Writing): readonly Part[] {
  const { conversation, prompt, counter } = writing;
  const spell = messageSpeller(conversation, prompt);
  const parts = [...before];
  for (const slot of slots) {
    if (slot.kind === "kept" && slot.changes.length === 0) {
      appendKept(parts, slot.index);
      continue;
    }
    const message = sendable(slot, prompt);
    const isMarkable = slot.kind === "kept" || slot === slots.at(-1);
    const written = isMarkable ? writeMarkable(message, prompt.wire, spell) : { json: spell(message) };
    const raw = slot.kind === "kept" ? { raw: slot.index } : {};
    parts.push({ kind: "written", ...written, ...raw, tokens: counter.countMessage(message) });
  }
  return parts;
}

/** Writes messages of a conversation as JSON, with commas between their entries. */
export function messageSpeller(
  conversation: Conversation,
  { wire, vendor }: Pick<Prompt, "wire" | "vendor">,
): (message: Message) => string {
  const write = codecOf(wire).messageWriter(conversation, vendor);
  return (message) =>
    write(message)
      .map((entry) => JSON.stringify(entry))
      .join(",");
}

/** A message of ours as the model takes it, without marks: those move from turn to turn, and this is written once. */
function sendable({ kind, message }: Slot, { takesSystemMessages }: Prompt): Message {
  const unmarked = withoutMarks(message);
  const isRefused = kind === "made" && message.role === "system" && !takesSystemMessages;
  return isRefused ? systemAsUser(unmarked) : unmarked;
}

/** Neighbours that stay become one part, so that what stands between them stays too. */
function appendKept(parts: Part[], index: number): void {
  const last = parts.at(-1);
  if (last?.kind === "kept" && last.to === index) parts[parts.length - 1] = { ...last, to: index + 1 };
  else parts.push({ kind: "kept", from: index, to: index + 1 });
}

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
