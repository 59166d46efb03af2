import type { CompactionBlock, JsonObject, Message, Role, Usage } from "@longhaul/conversation";
import type { TextPosition } from "./text-position.ts";

/**
 * One change to a conversation, planned by a pass and carried out by `apply` alone. Edits of one plan never overlap; all their positions
 * are those of the conversation that the pass saw.
 */
export type Edit =
  /** Stretches of one text give way to other texts. */
  | { readonly kind: "splice"; readonly at: TextPosition; readonly splices: readonly Splice[]; readonly reason: Reason }
  /** A block, or an entry of a tool result, goes; `left` stands in its place where something must. */
  | { readonly kind: "remove"; readonly at: TextPosition; readonly left?: string; readonly reason: Reason }
  /** A tool call's input becomes another object. */
  | { readonly kind: "input"; readonly at: TextPosition; readonly input: JsonObject; readonly reason: Reason }
  /** Messages `from` up to `to` give way to messages of ours, or to none. */
  | {
      readonly kind: "replace";
      readonly from: number;
      readonly to: number;
      readonly with: readonly MadeMessage[];
      readonly reason: Reason;
    };

/** What an edit does to the content, in the report's words. */
export type Reason =
  | "reference"
  | "consolidate"
  | "obsolete"
  | "suppress"
  | "truncate"
  | "summarize"
  | "cover"
  | "drop"
  | "thinking";

/** Replaces the characters `from` up to `to` of a text. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string | Ask;
  /** Set where the text is a reference: what stood here can be told exactly from what stands there. */
  readonly reference?: Reference;
}

/** Where the text that a reference stands for is still written out, in the coordinates of the conversation that the pass saw. */
export interface Reference {
  readonly target: TextPosition;
  readonly from: number;
  readonly to: number;
  /** What stands around each line of the target and not here; it is taken off first. */
  readonly targetDressing?: LineFormat;
  /** What stands around each line here and not at the target; it is put on after that. */
  readonly dressing?: LineFormat;
}

/** What a tool puts around every line of a text that it shows. */
export interface LineFormat {
  readonly numbering?: LineNumbering;
  /** Set where the lines end in a carriage return. */
  readonly ending?: "\r";
}

/** Line numbers in front of lines: `first` on the first line, padded with blanks to `width`, then `separator`. */
export interface LineNumbering {
  readonly first: number;
  readonly width: number;
  readonly separator: string;
}

/** A message that stands in the history although nobody said it: a summary, or a note of what is missing. */
export interface MadeMessage {
  readonly role: Role;
  /** Joined in order; an ask stands for the text that answers it. */
  readonly parts: readonly (string | Ask)[];
}

/** A wish for a summary. Whoever runs the engine answers it, so that the engine itself calls nothing. */
export interface Ask {
  readonly kind: "ask";
  /** What is to be summarised, as the model would have read it. */
  readonly messages: readonly Message[];
  /** The range of `messages` in the conversation that the pass saw; absent where a single text is asked about. */
  readonly range?: { readonly from: number; readonly to: number };
  /** An earlier summary that the answer should bring up to date. */
  readonly previous?: string;
  readonly instructions: string;
  readonly maxTokens: number;
  /** How long the answer will likely be: what a dry run answers with. */
  readonly expectedTokens: number;
  /** The profile that should answer, where the configuration names one. */
  readonly profile?: string;
}

/** What came back for an ask. */
export type Answer =
  | {
      readonly kind: "text";
      readonly text: string;
      /** Whether its writer read the whole request, system prompt and later messages included. @default false */
      readonly readsAll?: boolean;
      readonly usage?: Usage;
      readonly costUsd?: number;
    }
  | { readonly kind: "compaction"; readonly block: CompactionBlock; readonly usage?: Usage; readonly costUsd?: number }
  | { readonly kind: "failed"; readonly why: string; readonly usage?: Usage; readonly costUsd?: number };

/** The asks of a plan, in the order in which `apply` expects their answers. */
export function asksIn(edits: readonly Edit[]): Ask[] {
  return edits.flatMap(textsOf).filter((part) => typeof part !== "string");
}

function textsOf(edit: Edit): readonly (string | Ask)[] {
  if (edit.kind === "splice") return edit.splices.map((splice) => splice.text);
  if (edit.kind === "replace") return edit.with.flatMap((made) => made.parts);
  return [];
}
