import type { Conversation, Message, Usage } from "@longhaul/conversation";

/** Whose log it is. */
export type LogFormat =
  | "claude-code"
  | "codex"
  | "gemini-cli"
  | "pi"
  | "roo"
  | "anthropic-messages"
  | "gemini"
  | "openai-chat"
  | "openai-responses";

/** What a session log holds. */
export interface LogReading {
  readonly format: LogFormat;
  /** The model that a request body names; in logs every call has its own. */
  readonly model?: string;
  /** The main thread, whole: what a compaction took out of later prompts still stands here, and the summary does not. */
  readonly conversation: Conversation;
  /** The model calls of the main thread, in the order of the log. */
  readonly calls: readonly LoggedCall[];
  /** Calls outside the main thread (sub-agents, branches that were given up): paid for, but no part of the conversation. */
  readonly sideCalls: readonly CallRecord[];
  readonly events: readonly LogEvent[];
  readonly warnings: readonly LogWarning[];
}

/** What a log says of one model call. A field is absent where the log doesn't say it. */
export interface CallRecord {
  readonly model?: string;
  readonly usage?: Usage;
  /** In US dollars, as the tool that wrote the log computed it. */
  readonly costUsd?: number;
  /** When the reply was logged, in milliseconds since 1970. */
  readonly timestampMs?: number;
  /** `aborted` by the user, or `failed` with an error; `finished` also where the log doesn't say. */
  readonly outcome: "finished" | "aborted" | "failed";
}

/** A model call of the main thread. */
export interface LoggedCall extends CallRecord {
  readonly prompt: LoggedPrompt;
  /** Index of the reply; absent where the call gave nothing. */
  readonly reply?: number;
}

/**
 * Which messages of the conversation were sent: the first `head`, then `summary`, then `from` up to, not including, `to`. Before any
 * compaction that is everything from 0.
 */
export interface LoggedPrompt {
  /** @default 0 */
  readonly head?: number;
  readonly summary?: Message;
  readonly from: number;
  readonly to: number;
}

/** Something that happened to the session besides its messages. */
export type LogEvent = LoggedCompaction | LoggedContinuation | LoggedTitle;

/** Older messages were replaced by a summary, or hidden behind a marker, in all later prompts. */
export interface LoggedCompaction {
  readonly kind: "compaction";
  readonly line: number;
  /** How many messages of the conversation stand before it. */
  readonly at: number;
  /** Index of the first message that stayed in the prompt after the summary. */
  readonly keptFrom: number;
  /** Empty where the log doesn't hold it. */
  readonly summary: string;
  readonly tokensBefore?: number;
}

/** The log begins in the middle: its first message follows one that stands elsewhere, so prompts were longer than the log can tell. */
export interface LoggedContinuation {
  readonly kind: "continuation";
  readonly line: number;
}

/** A name that the session was given. */
export interface LoggedTitle {
  readonly kind: "title";
  readonly line: number;
  readonly text: string;
}

/** A part of the log that could not be read and was skipped. */
export interface LogWarning {
  /** Counted from 1. In a log that is one JSON document, the entry of its list of messages. */
  readonly line: number;
  readonly message: string;
}

/** The messages that a call sent, in the order that the model read them. */
export function promptMessages(reading: LogReading, call: LoggedCall): readonly Message[] {
  const { messages } = reading.conversation;
  const { head = 0, summary, from, to } = call.prompt;
  const before = summary === undefined ? messages.slice(0, head) : [...messages.slice(0, head), summary];
  return [...before, ...messages.slice(from, to)];
}
