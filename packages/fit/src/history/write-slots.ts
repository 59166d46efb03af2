import type { Slot } from "@longhaul/condense/advanced";
import type { Conversation, Message, WireId } from "@longhaul/conversation";
import type { TokenCounter, Tokenizer } from "@longhaul/models";
import { codecOf, type RequestLine, systemAsUser } from "@longhaul/wire";
import { withoutMarks, writeMarkable } from "./cache-mark.ts";
import type { Part } from "./parts.ts";

export interface Writing {
  readonly conversation: Conversation;
  readonly prompt: Prompt;
  readonly counter: TokenCounter;
}

/** Appends the parts of these slots: unchanged messages are named, all others are written. */
export function writeSlots(before: readonly Part[], slots: readonly Slot[], writing: Writing): readonly Part[] {
  const { conversation, prompt, counter } = writing;
  const write = messageWriter(conversation, prompt);
  const parts = [...before];
  for (const slot of slots) {
    if (slot.kind === "kept" && slot.changes.length === 0) {
      appendKept(parts, slot.index);
      continue;
    }
    const message = sendable(slot, prompt);
    const isMarkable = slot.kind === "kept" || slot === slots.at(-1);
    const written = isMarkable ? writeMarkable(message, prompt.wire, write) : { json: write(message) };
    const raw = slot.kind === "kept" ? { raw: slot.index } : {};
    parts.push({ kind: "written", ...written, ...raw, tokens: counter.countMessage(message) });
  }
  return parts;
}

/** Returns a function that writes messages as JSON, with commas between their entries. */
export function messageWriter(
  conversation: Conversation,
  { wire, vendor }: Pick<Prompt, "wire" | "vendor">,
): (message: Message) => string {
  const write = codecOf(wire).messageWriter(conversation, vendor);
  return (message) =>
    write(message)
      .map((entry) => JSON.stringify(entry))
      .join(",");
}

/** Prepares one of our messages for the model, without marks: those move from turn to turn, and the message is written once. */
function sendable({ kind, message }: Slot, { takesSystemMessages }: Prompt): Message {
  const unmarked = withoutMarks(message);
  const isRefused = kind === "made" && message.role === "system" && !takesSystemMessages;
  return isRefused ? systemAsUser(unmarked) : unmarked;
}

/** Adjacent unchanged messages become one part, so that the bytes between them stay too. */
function appendKept(parts: Part[], index: number): void {
  const last = parts.at(-1);
  if (last?.kind === "kept" && last.to === index) parts[parts.length - 1] = { ...last, to: index + 1 };
  else parts.push({ kind: "kept", from: index, to: index + 1 });
}

/** A request in its bytes, and how its tokens are counted. Plain data that can be sent to a thread. */
export interface Prompt {
  readonly body: Uint8Array;
  readonly wire: WireId;
  readonly line: RequestLine;
  /** The vendor of the messages' signatures. */
  readonly vendor: string;
  readonly tokenizer: Tokenizer;
  readonly ratio: number;
  /** Whether the model accepts system messages in mid-conversation. */
  readonly takesSystemMessages: boolean;
}
