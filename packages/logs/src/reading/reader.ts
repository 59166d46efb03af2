import type { Conversation, WireId } from "@longhaul/conversation";
import type { LogDocument } from "./document.ts";
import type { LogFormat, LogReading } from "./reading.ts";

/** Reads one format. Tolerant: what it can't read it reports as a warning and skips; it throws nothing. */
export interface LogReader {
  readonly format: LogFormat;
  /** What a user calls such a file. */
  readonly title: string;
  /** The wire format in which its conversations are sent. */
  readonly wire: WireId;
  /** The model for which a conversation is measured that names none. */
  readonly typicalModel: string;
  /** Whether a log is more likely of this format than of those after it in the list of readers. */
  recognizes(document: LogDocument): boolean;
  /** Nothing where the document holds not one entry of this format. */
  read(document: LogDocument): LogReading | undefined;
  /** Writes messages in the place of those that the document holds. What it says besides them, system prompt and tools among it, stays. */
  write(document: LogDocument, conversation: Conversation): string;
}
