import type { Conversation, WireId } from "@longhaul/conversation";
import type { LogDocument } from "./document.ts";
import type { LogFormat, LogReading } from "./reading.ts";

/** Reads one log format. Skips unreadable entries with a warning and never throws. */
export interface LogReader {
  readonly format: LogFormat;
  readonly title: string;
  /** The wire format of its conversations. */
  readonly wire: WireId;
  /** The model to assume for a log that names none. */
  readonly defaultModel: string;
  /** Whether a log has this format and not one of the formats after it in `READERS`. */
  recognizes(document: LogDocument): boolean;
  /** Returns undefined if the document contains no entry of this format. */
  read(document: LogDocument): LogReading | undefined;
  /** Writes the document with other messages. Everything else stays, including the system prompt and tools. */
  write(document: LogDocument, conversation: Conversation): string;
}
