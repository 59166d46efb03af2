import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  type Reply,
  type StreamEvent,
  tryParseJson,
} from "@longhaul/conversation/advanced";
import type { Change } from "../edits/change.ts";
import { OMISSION } from "../passes/marks.ts";
import type { Projection } from "./projection.ts";

/** Counts the marks that a model copies from its prompt into the arguments of its calls. */
export interface CopyWatch {
  see(event: StreamEvent): void;
  seeReply(reply: Pick<Reply, "blocks">): void;
  /** Returns the number of marks seen so far. */
  count(): number;
}

/** Longer arguments are searched only up to here. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Watches a reply as the client gets it, with references already expanded. `marks` returns the marks that were sent; it is called only if
 * the model calls a tool with something that may be one.
 */
export function watchCopies(marks: () => readonly string[]): CopyWatch {
  const open = new Map<number, string>();
  let copies = 0;
  const search = (texts: readonly string[]): void => {
    const suspicious = texts.filter((text) => text.includes(FIRST_CHARACTER) || text.includes(DOTS));
    if (suspicious.length === 0) return;
    const sent = marks();
    for (const text of suspicious) copies += copiesIn(text, sent);
  };
  return {
    see: (event) => {
      if (event.type === "tool-call-start") open.set(event.index, "");
      if (event.type === "tool-call-delta") {
        const json = open.get(event.index) ?? "";
        if (json.length < MAX_CHARACTERS) open.set(event.index, json + event.json);
      }
      if (event.type === "tool-call-end") {
        const json = open.get(event.index) ?? "";
        // Free-text arguments are not JSON.
        search(textsIn(tryParseJson(json) ?? json));
        open.delete(event.index);
      }
    },
    seeReply: ({ blocks }) =>
      search(blocks.flatMap((block) => (block.type === "tool-call" ? textsIn(block.input) : []))),
    count: () => copies,
  };
}

const FIRST_CHARACTER = "[";
const DOTS = "...";

/** Marks up to this length are ordinary text unless they are a line of their own. */
const SHORT_MARK = OMISSION.length;

function copiesIn(text: string, marks: readonly string[]): number {
  const lines = new Set(text.split("\n"));
  return marks.filter((mark) => (mark.length > SHORT_MARK ? text.includes(mark) : lines.has(mark))).length;
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (isJsonArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns the marks and the first line of the note that a projection adds to a conversation, each once. */
export function marksIn({ entries }: Projection): readonly string[] {
  const changes = entries.flatMap((entry) => (entry.kind === "change" ? entry.changes : []));
  const marks = changes.flatMap(marksOf).map((mark) => mark.trim());
  return [...new Set(marks.filter((mark) => mark.startsWith(FIRST_CHARACTER) || mark === DOTS || mark === OMISSION))];
}

function marksOf(change: Change): readonly string[] {
  switch (change.kind) {
    case "text":
      return change.pieces.flatMap((piece) => ("made" in piece ? [piece.made] : []));
    case "gone":
      return change.left === undefined ? [] : [change.left];
    case "input":
      return textsIn(change.input).filter((text) => WHOLE_MARK.test(text));
    case "note":
      return change.text.split("\n").filter((line) => line.startsWith(FIRST_CHARACTER));
    default:
      return change satisfies never;
  }
}

/** A replaced argument; the others of the same call are the model's own. */
const WHOLE_MARK = /^\[.*\]$/s;
