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

/** All readers, in the order in which they are tried. The last one recognizes any list of messages. */
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

/** Returns the wire format of a log format's conversations, and a model for logs that name none. */
export function logDefaults(format: LogFormat): { readonly wire: WireId; readonly model: string } {
  const reader = READERS.find((candidate) => candidate.format === format);
  if (reader === undefined) throw new LonghaulError("internal.bug", `no reader for log format "${format}"`);
  const { wire, defaultModel: typicalModel } = reader;
  return { wire, model: typicalModel };
}

/** A parsed log that can be written again. */
export interface OpenedLog {
  readonly reading: LogReading;
  /** Writes the log with other messages. Everything else stays, and unchanged messages are written as received. */
  write(conversation: Conversation): string;
}

/** Reads a session log and detects its format from the content. Throws `log.unreadable` if no format matches. */
export function readLog(text: string): LogReading {
  return openLog(text).reading;
}

/** Reads a log like `readLog` and also returns how to write it again. */
export function openLog(text: string): OpenedLog {
  const document = parseDocument(text);
  const opened = openDocument(document);
  if (opened === undefined) throw unreadable(text, document);
  return opened;
}

/** Reads a JSONL log without its whole text in memory. Undefined if it is not one; it may still be a single JSON document. */
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
  const wanted = reader === undefined ? "a session log" : `a log in the format "${reader.title}"`;
  const known = READERS.map(({ title }) => title).join(", ");
  return new LonghaulError(
    "log.unreadable",
    `The text is not ${wanted}: ${describeText(text, document)}. Supported logs: ${known}.`,
  );
}

function describeText(text: string, { value, lines }: LogDocument): string {
  if (text.trim() === "") return "it is empty";
  if (value === undefined && lines.length === 0) return `it is not JSON and starts with ${startOf(text)}`;
  return `it is JSON without such messages and starts with ${startOf(text)}`;
}

const SHOWN_CHARACTERS = 40;

function startOf(text: string): string {
  return JSON.stringify(text.trim().slice(0, SHOWN_CHARACTERS));
}
