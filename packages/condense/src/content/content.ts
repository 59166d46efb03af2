import type { JsonValue, Role } from "@longhaul/conversation";
import type { TextPosition } from "../edits/text-position.ts";
import type { Link } from "./cuts.ts";

/** The three kinds of content: message text, tool parameters and tool results. */
export type Level = "text" | "parameters" | "result";

/** A span of text of one kind. Contents never overlap; `decompose` returns all of them in reading order. */
export interface Content {
  readonly at: TextPosition;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly level: Level;
  readonly role: Role;
  /** The tool use that the parameters or the result belong to. */
  readonly use?: ToolUse;
}

/** One use of a tool, as tool blocks, as XML in text, or as a command and its output in text. */
export interface ToolUse {
  readonly name: string;
  readonly input: JsonValue;
  /** Message of the call; -1 for a result without a call. */
  readonly callMessage: number;
  /** Message of the result; -1 if there is none yet. */
  readonly resultMessage: number;
  readonly isError: boolean;
}

/** The contents of a conversation. */
export interface Contents {
  readonly contents: readonly Content[];
  /** Messages that belong together because a call in text is answered in text. */
  readonly links: readonly Link[];
  /** For each message whether the user wrote it; tool results in text and environment snapshots do not count. */
  readonly userAuthored: readonly boolean[];
}
