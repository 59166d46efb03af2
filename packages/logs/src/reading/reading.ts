import type { Conversation, Message, Request, Usage } from "@longhaul/conversation/advanced";

/** Known log formats. */
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

/** The parameters of a request that limit its prompt. */
export type RequestLimits = Pick<Request, "maxOutputTokens" | "reasoning">;

/** The content of a session log. */
export interface LogReading {
  readonly format: LogFormat;
  /** The model of a request body. In session logs, each call has its own. */
  readonly model?: string;
  /** The output limit and reasoning of a request body, if it has any. */
  readonly limits?: RequestLimits;
  /** The whole main thread: includes messages that a compaction removed from later prompts, but not the summaries. */
  readonly conversation: Conversation;
  /** Model calls of the main thread, in log order. */
  readonly calls: readonly LoggedCall[];
  /** Calls outside the main thread, such as sub-agents and abandoned branches: paid for, but not part of the conversation. */
  readonly sideCalls: readonly CallRecord[];
  readonly events: readonly LogEvent[];
  readonly warnings: readonly LogWarning[];
}

/** The log's record of a model call. A field is absent if the log does not contain it. */
export interface CallRecord {
  readonly model?: string;
  readonly usage?: Usage;
  /** In US dollars, as computed by the tool that wrote the log. */
  readonly costUsd?: number;
  /** When the reply was logged, in milliseconds since 1970. */
  readonly timestampMs?: number;
  /** `aborted` by the user, or `failed` with an error. `finished` if the log does not say. */
  readonly outcome: "finished" | "aborted" | "failed";
}

/** A model call of the main thread. */
export interface LoggedCall extends CallRecord {
  readonly prompt: LoggedPrompt;
  /** Index of the reply. Absent if the call returned nothing. */
  readonly reply?: number;
}

/** The sent messages: the first `head`, then `summary`, then `from` up to, but not including, `to`. */
export interface LoggedPrompt {
  /** @default 0 */
  readonly head?: number;
  readonly summary?: Message;
  readonly from: number;
  readonly to: number;
}

/** An event of the session that is not a message. */
export type LogEvent = LoggedCompaction | LoggedContinuation | LoggedTitle;

/** Older messages were replaced by a summary or a marker in all later prompts. */
export interface LoggedCompaction {
  readonly kind: "compaction";
  readonly line: number;
  /** Number of messages before it. */
  readonly at: number;
  /** Index of the first message that remained in the prompt after the summary. */
  readonly keptFrom: number;
  /** Empty if the log does not contain it. */
  readonly summary: string;
  readonly tokensBefore?: number;
}

/** The log continues another file, so its prompts were longer than the log shows. */
export interface LoggedContinuation {
  readonly kind: "continuation";
  readonly line: number;
}

/** A name of the session. */
export interface LoggedTitle {
  readonly kind: "title";
  readonly line: number;
  readonly text: string;
}

/** An unreadable part of the log that was skipped. */
export interface LogWarning {
  /** Line number from 1. In a JSON document, the number of the entry in its list of messages. */
  readonly line: number;
  readonly message: string;
}

/** Returns the messages that a call sent, in order. */
export function promptMessages(reading: LogReading, call: LoggedCall): readonly Message[] {
  const { messages } = reading.conversation;
  const { head = 0, summary, from, to } = call.prompt;
  const before = summary === undefined ? messages.slice(0, head) : [...messages.slice(0, head), summary];
  return [...before, ...messages.slice(from, to)];
}
