import { type Conversation, LonghaulError, type WireId } from "@longhaul/conversation";
import { anthropicMessages } from "./readers/anthropic-messages.ts";
import { claudeCode } from "./readers/claude-code/claude-code.ts";
import { codex } from "./readers/codex/codex.ts";
import { gemini } from "./readers/gemini.ts";
import { geminiCli } from "./readers/gemini-cli.ts";
import { openaiChat } from "./readers/openai-chat.ts";
import { openaiResponses } from "./readers/openai-responses.ts";
import { pi } from "./readers/pi/pi.ts";
import { roo } from "./readers/roo.ts";
import { type LogDocument, parseDocument, parseLines } from "./reading/document.ts";
import type { LogReader } from "./reading/reader.ts";
import type { LogFormat, LogReading } from "./reading/reading.ts";

/** Every reader, in the order in which they are asked; the last recognises whatever has messages. */
export const READERS: readonly LogReader[] = [
  claudeCode,
  codex,
  pi,
  geminiCli,
  roo,
  gemini,
  openaiResponses,
  openaiChat,
  anthropicMessages,
];

/** Returns what is typical for logs of a format: the wire format in which they are sent, and the model. */
export function typicalOf(format: LogFormat): { readonly wire: WireId; readonly model: string } {
  const reader = READERS.find((candidate) => candidate.format === format);
  if (reader === undefined) throw new LonghaulError("internal.bug", `no reader reads "${format}"`);
  const { wire, typicalModel } = reader;
  return { wire, model: typicalModel };
}

/** A log that was read and can be written again. */
export interface OpenedLog {
  readonly reading: LogReading;
  /**
   * Writes the log with these messages in the place of its own. What it says besides the conversation stays, and so do its system prompt
   * and tools; messages that nobody changed are written as they came.
   */
  write(conversation: Conversation): string;
}

/** Reads a session log of any known format, which it tells by the content. Throws `log.unreadable` for every other text. */
export function readLog(text: string): LogReading {
  return openLog(text).reading;
}

/** The same, for whoever wants to write the log again. */
export function openLog(text: string): OpenedLog {
  const document = parseDocument(text);
  const opened = openDocument(document);
  if (opened === undefined) throw unreadable(text, document);
  return opened;
}

/**
 * The same for a log of one object per line whose lines come one by one: its text is never held as a whole. Nothing where it is no such
 * log; it may still be one that is a single JSON document.
 */
export function openLogLines(lines: Iterable<string>): OpenedLog | undefined {
  return openDocument(parseLines(lines));
}

function openDocument(document: LogDocument): OpenedLog | undefined {
  const reader = READERS.find((candidate) => candidate.recognizes(document));
  const reading = reader?.read(document);
  if (reader === undefined || reading === undefined) return undefined;
  return { reading, write: (conversation) => reader.write(document, conversation) };
}

/** Reads Claude Code's session log (JSONL). Throws `log.unreadable` for any other text. */
export function readClaudeCode(text: string): LogReading {
  return readWith(claudeCode, text);
}

/** Reads Codex CLI's session log (JSONL). Throws `log.unreadable` for any other text. */
export function readCodex(text: string): LogReading {
  return readWith(codex, text);
}

/** Reads Gemini CLI's session log (JSON or JSONL). Throws `log.unreadable` for any other text. */
export function readGeminiCli(text: string): LogReading {
  return readWith(geminiCli, text);
}

/** Reads pi's session log (JSONL). Throws `log.unreadable` for any other text. */
export function readPi(text: string): LogReading {
  return readWith(pi, text);
}

/** Reads the API history of Roo Code, Zoo Code or Cline (JSON). Throws `log.unreadable` for any other text. */
export function readRoo(text: string): LogReading {
  return readWith(roo, text);
}

/** Reads plain Chat Completions JSON: a request body or its messages. Throws `log.unreadable` for any other text. */
export function readOpenaiChat(text: string): LogReading {
  return readWith(openaiChat, text);
}

/** Reads plain Responses JSON: a request body or its items. Throws `log.unreadable` for any other text. */
export function readOpenaiResponses(text: string): LogReading {
  return readWith(openaiResponses, text);
}

/** Reads plain Gemini JSON: a request body or its contents. Throws `log.unreadable` for any other text. */
export function readGemini(text: string): LogReading {
  return readWith(gemini, text);
}

/** Reads plain Messages API JSON: a request body or its messages. Throws `log.unreadable` for any other text. */
export function readAnthropic(text: string): LogReading {
  return readWith(anthropicMessages, text);
}

function readWith(reader: LogReader, text: string): LogReading {
  const document = parseDocument(text);
  const reading = reader.read(document);
  if (reading === undefined) throw unreadable(text, document, reader);
  return reading;
}

function unreadable(text: string, document: LogDocument, reader?: LogReader): LonghaulError {
  const wanted = reader === undefined ? "a session log" : `a log of the format "${reader.title}"`;
  const known = READERS.map(({ title }) => title).join(", ");
  return new LonghaulError(
    "log.unreadable",
    `The text is not ${wanted}: ${whatItIs(text, document)}. Give one of the logs that are read: ${known}.`,
  );
}

function whatItIs(text: string, { value, lines }: LogDocument): string {
  if (text.trim() === "") return "it is empty";
  if (value === undefined && lines.length === 0) return `it is not JSON, it starts with ${startOf(text)}`;
  return `it is JSON without messages of that kind, it starts with ${startOf(text)}`;
}

const SHOWN_CHARACTERS = 40;

function startOf(text: string): string {
  return JSON.stringify(text.trim().slice(0, SHOWN_CHARACTERS));
}
