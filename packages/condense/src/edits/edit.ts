import type { CompactionBlock, JsonObject, Message, Role, Usage } from "@longhaul/conversation";
import type { TextPosition } from "./text-position.ts";

/**
 * One change to a conversation: a pass plans it, and only `apply` carries it out. Edits of one plan never overlap; all positions refer to
 * the conversation that the pass saw.
 */
export type Edit =
  /** Replaces spans of one text. */
  | { readonly kind: "splice"; readonly at: TextPosition; readonly splices: readonly Splice[]; readonly reason: Reason }
  /** Removes a block or an entry of a tool result. `left` is the text that replaces it, if something must. */
  | { readonly kind: "remove"; readonly at: TextPosition; readonly left?: string; readonly reason: Reason }
  /** Replaces a tool call's input. */
  | { readonly kind: "input"; readonly at: TextPosition; readonly input: JsonObject; readonly reason: Reason }
  /** Replaces messages `from` up to `to` with generated messages, or with none. */
  | {
      readonly kind: "replace";
      readonly from: number;
      readonly to: number;
      readonly with: readonly MadeMessage[];
      readonly reason: Reason;
    };

/** Kind of change, as counted in the report. */
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
  /** Set if the text is a reference: the replaced text can be reconstructed exactly from the target. */
  readonly reference?: Reference;
}

/** Where the text that a reference replaces still occurs, in the coordinates of the conversation that the pass saw. */
export interface Reference {
  readonly target: TextPosition;
  readonly from: number;
  readonly to: number;
  /** Format of the target's lines; it is removed first. */
  readonly targetDressing?: LineFormat;
  /** Format of the lines here; it is added afterwards. */
  readonly dressing?: LineFormat;
}

/** Prefix and suffix that a tool adds to every line of a text that it prints. */
export interface LineFormat {
  readonly numbering?: LineNumbering;
  /** Set if the lines end in a carriage return. */
  readonly ending?: "\r";
}

/** Line numbers: `first` on the first line, padded with spaces to `width`, followed by `separator`. */
export interface LineNumbering {
  readonly first: number;
  readonly width: number;
  readonly separator: string;
}

/** A generated message: a summary, or a note about missing messages. */
export interface MadeMessage {
  readonly role: Role;
  /** Joined in order; an ask is replaced by its answer. */
  readonly parts: readonly (string | Ask)[];
  /** Set if it is also about earlier messages that other edits of the plan remove: the first of them. */
  readonly since?: number;
}

/** A request for a summary. The caller of the engine answers it, so that the engine itself calls nothing. */
export interface Ask {
  readonly kind: "ask";
  /** The messages to summarize, as the model would have read them. */
  readonly messages: readonly Message[];
  /** Range of `messages` in the conversation that the pass saw. Absent for a single text or messages that are not contiguous. */
  readonly range?: { readonly from: number; readonly to: number };
  /** Indexes of `messages` that stay in the conversation: the answer need not repeat them. */
  readonly kept?: readonly number[];
  /** Whether a later message sets a list of to-dos, so that the lists in `messages` are outdated. @default false */
  readonly hasLaterList?: boolean;
  /** Whether the assistant says more after `messages`, so that the next steps that it names in them are outdated. @default false */
  readonly hasLaterAnswer?: boolean;
  /** An earlier summary to update. */
  readonly previous?: string;
  readonly instructions: string;
  readonly maxTokens: number;
  /** Likely length of the answer; a dry run answers with this many tokens. */
  readonly expectedTokens: number;
  /** The profile that should answer, if the configuration names one. */
  readonly profile?: string;
}

/** The answer to an ask. */
export type Answer =
  | {
      readonly kind: "text";
      readonly text: string;
      /** Whether the author read the whole request, including the system prompt and later messages. @default false */
      readonly readsAll?: boolean;
      /** Why the summarizer's own answer was not used, if this one replaces it. */
      readonly insteadOf?: string;
      readonly usage?: Usage;
      readonly costUsd?: number;
    }
  | { readonly kind: "compaction"; readonly block: CompactionBlock; readonly usage?: Usage; readonly costUsd?: number }
  | { readonly kind: "failed"; readonly why: string; readonly usage?: Usage; readonly costUsd?: number };

/** Returns the asks of a plan, in the order in which `apply` expects their answers. */
export function asksIn(edits: readonly Edit[]): Ask[] {
  return edits.flatMap(textsOf).filter((part) => typeof part !== "string");
}

function textsOf(edit: Edit): readonly (string | Ask)[] {
  if (edit.kind === "splice") return edit.splices.map((splice) => splice.text);
  if (edit.kind === "replace") return edit.with.flatMap((made) => made.parts);
  return [];
}
