import type { JsonValue, Role } from "@longhaul/conversation";
import type { TextPosition } from "../edits/text-position.ts";
import type { Link } from "./cuts.ts";

/** The three kinds of content: what people and models say, what tools are called with, and what they answer. */
export type Level = "text" | "parameters" | "result";

/** A stretch of text with one meaning. Contents never overlap; `decompose` finds all of them, in reading order. */
export interface Content {
  readonly at: TextPosition;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly level: Level;
  readonly role: Role;
  /** The use that the parameters or the result belong to. */
  readonly use?: ToolUse;
}

/** One use of a tool, whether the format has tool blocks or the call stands as XML in text. */
export interface ToolUse {
  readonly name: string;
  readonly input: JsonValue;
  /** Message of the call; -1 for a result that answers nothing. */
  readonly callMessage: number;
  /** Message of the result; -1 while there is none. */
  readonly resultMessage: number;
  readonly isError: boolean;
}

/** A conversation seen as contents. */
export interface Contents {
  readonly contents: readonly Content[];
  /** Messages that belong together because a call in text is answered in text. */
  readonly links: readonly Link[];
  /** Messages that hold the user's own words, XML tool results and environment snapshots left aside. */
  readonly ownWords: readonly boolean[];
}
