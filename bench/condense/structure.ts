import { type Condensation, decompose, NOTE_START, type Piece, type Projection } from "@longhaul/condense/advanced";
import type { Conversation, Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";

/** Structural properties of a condensed conversation. */
export interface Structure {
  /** Whether the first user message is there, at least its beginning and end. */
  readonly hasTask: boolean;
  readonly notes: number;
  /** Marks inside an argument of a call that do not replace the whole value. */
  readonly cutArguments: number;
  /** Marks that name a message by its number. */
  readonly numbered: number;
  /** Share of the tokens for the note and for marks, without references and the list below the note. */
  readonly markShare: number;
  /** Share of the tokens for the list below the note: to-dos, changed files, the latest failure, names. It is content. */
  readonly listShare: number;
  /** Share of the tokens for references. */
  readonly referenceShare: number;
  readonly reachesTarget: boolean;
}

/** A text that a condensation has put into the conversation, without summaries. */
interface Mark {
  readonly text: string;
  readonly kind: "note" | "list" | "mark" | "reference";
  /** Set for a mark inside an argument of a call: whether it replaces the whole value. */
  readonly isWholeArgument?: boolean;
}

/** Describes the structure of a condensation of `raw` to `targetTokens`. */
export function structureOf(
  { conversation, projection }: Pick<Condensation, "conversation" | "projection">,
  { raw, counter, targetTokens }: { raw: Conversation; counter: TokenCounter; targetTokens: number },
): Structure {
  const marks = marksIn(projection, raw.messages);
  const tokens = counter.countConversation(conversation);
  const tokensOf = (of: readonly Mark[]) => of.reduce((sum, { text }) => sum + counter.countText(text), 0);
  return {
    hasTask: hasTask(raw, conversation),
    notes: marks.filter(({ kind }) => kind === "note").length,
    cutArguments: marks.filter(({ isWholeArgument }) => isWholeArgument === false).length,
    numbered: marks.filter(({ text }) => /#\d|message \d/.test(text)).length,
    markShare: tokensOf(marks.filter(({ kind }) => kind === "note" || kind === "mark")) / tokens,
    listShare: tokensOf(marks.filter(({ kind }) => kind === "list")) / tokens,
    referenceShare: tokensOf(marks.filter(({ kind }) => kind === "reference")) / tokens,
    reachesTarget: tokens <= targetTokens,
  };
}

/** Lists the note, the marks and the references of a projection. */
function marksIn({ entries }: Projection, raw: readonly Message[]): Mark[] {
  return entries.flatMap((entry): Mark[] => {
    if (entry.kind === "keep") return [];
    if (entry.kind === "made") return [];
    return entry.changes.flatMap((change): Mark[] => {
      if (change.kind === "gone") return change.left === undefined ? [] : [{ text: change.left, kind: "mark" }];
      if (change.kind === "note") return change.text.split("\n").map((text) => ({ text, kind: kindOf(text) }));
      if (change.kind === "input") return [];
      const isArgument = raw[entry.index]?.blocks[change.block]?.type === "tool-call";
      return change.pieces.flatMap((piece): Mark[] => {
        if (!("made" in piece)) return [];
        const kind = piece.reference === undefined ? "mark" : "reference";
        return [{ text: piece.made, kind, ...(isArgument && { isWholeArgument: isOneMark(change.pieces) }) }];
      });
    });
  });
}

/** Other lines of a note than its first are the list, and gaps between messages are marked in square brackets. */
function kindOf(text: string): "note" | "list" | "mark" {
  if (text.startsWith(NOTE_START)) return "note";
  return text.startsWith("[") ? "mark" : "list";
}

/** Whether a whole value is one mark: alone, or in brackets around the lines that are still there. */
function isOneMark(pieces: readonly Piece[]): boolean {
  const [first, ...rest] = pieces;
  const last = rest.at(-1);
  if (first === undefined || !("made" in first)) return false;
  const isAround = last !== undefined && "made" in last && first.made.startsWith("[") && last.made === "]";
  const between = rest.slice(0, -1);
  return rest.length === 0 || (isAround && between.every((piece) => !("made" in piece) || piece.made.trim() === ""));
}

const EDGE_CHARACTERS = 100;

function hasTask(raw: Conversation, { messages }: Conversation): boolean {
  const { contents, userAuthored } = decompose(raw.messages);
  const own = userAuthored.indexOf(true);
  const task = contents.flatMap(({ at, level, text }) => (at.message === own && level === "text" ? [text.trim()] : []));
  const sent = messages.filter(({ role }) => role === "user").flatMap(({ blocks }) => blocks);
  const texts = sent.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return task.every((text) =>
    texts.some(
      (candidate) =>
        candidate.includes(text.slice(0, EDGE_CHARACTERS)) && candidate.includes(text.slice(-EDGE_CHARACTERS)),
    ),
  );
}
