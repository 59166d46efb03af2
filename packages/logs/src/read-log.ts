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
  const { wire, defaultModel } = readerOf(format);
  return { wire, model: defaultModel };
}

function readerOf(format: LogFormat): LogReader {
  const reader = READERS.find((candidate) => candidate.format === format);
  if (reader === undefined) throw new LonghaulError("internal.bug", `no reader for log format "${format}"`);
  return reader;
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

/** Reads a log of one format only, without detection. Throws `log.unreadable` for any other text. */
export function readLogAs(format: LogFormat, text: string): LogReading {
  const reader = readerOf(format);
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
    `the text is not ${wanted}: ${describeText(text, document)}; supported logs: ${known}`,
  );
}

const SHOWN_CHARACTERS = 40;

function describeText(text: string, { value, lines }: LogDocument): string {
  if (text.trim() === "") return "it is empty";
  const start = JSON.stringify(text.trim().slice(0, SHOWN_CHARACTERS));
  const isJson = value !== undefined || lines.length > 0;
  return `it is ${isJson ? "JSON without messages in a known format" : "not JSON"} and starts with ${start}`;
}
