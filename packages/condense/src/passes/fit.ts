import type { Block, ImageBlock } from "@longhaul/conversation";
import type { Content, Level } from "../contents.ts";
import type { Edit } from "../edit.ts";
import { droppedNote } from "../notes.ts";
import type { Place } from "../place.ts";
import { shortenMiddle } from "../shorten.ts";
import type { Pass } from "../strategy.ts";
import type { View } from "../view.ts";

/** Characters left of a result, an argument or a text when it must be shortened. */
const SHORT_CHARS = 1_000;
const TINY_CHARS = 120;

/**
 * The last resort before a refusal: takes away what matters least, oldest first, until the conversation fits its budget. Each rung of the
 * ladder runs only while it does not; the newest result is shortened last of all.
 */
export const fitPasses: readonly Pass[] = [
  rung("fit-older-results", "Shorten older results", (view) => shortenOlder(view, "result", SHORT_CHARS)),
  rung("fit-older-arguments", "Shorten older arguments", (view) => shortenOlder(view, "parameters", SHORT_CHARS)),
  rung("fit-images", "Drop older images", dropImages),
  rung("fit-tiny-results", "Cut older results down", (view) => shortenOlder(view, "result", TINY_CHARS)),
  rung("fit-assistant-text", "Shorten older answers", (view) => shortenOlder(view, "text", SHORT_CHARS)),
  rung("fit-older-messages", "Drop the oldest messages", dropOldest),
  rung("fit-newest-results", "Shorten the newest results", shortenNewest),
];

function rung(id: string, name: string, plan: (view: View) => readonly Edit[]): Pass {
  return { id, name, plan, applies: (view) => view.tokens > view.limits.budgetTokens };
}

function shortenOlder(view: View, level: Level, keepChars: number): Edit[] {
  const older = view
    .contents()
    .contents.filter(
      (content) =>
        content.level === level && content.role !== "system" && isOlder(content, view) && !isUsersText(content),
    );
  return untilFit(view, older, (content) => shorten(content, keepChars, view));
}

function isOlder({ at }: Content, view: View): boolean {
  return at.message < view.conversation.messages.length - 1 && at.message !== view.latestUserMessage;
}

function isUsersText({ level, role }: Content): boolean {
  return level === "text" && role === "user";
}

interface Saving {
  readonly edit: Edit;
  readonly tokens: number;
}

/** Takes savings in order until they add up to what is over the budget. */
function untilFit<T>(view: View, candidates: readonly T[], save: (candidate: T) => Saving | undefined): Edit[] {
  const edits: Edit[] = [];
  let over = view.tokens - view.limits.budgetTokens;
  for (const candidate of candidates) {
    if (over <= 0) break;
    const saving = save(candidate);
    if (saving === undefined || saving.tokens <= 0) continue;
    edits.push(saving.edit);
    over -= saving.tokens;
  }
  return mergeSplices(edits);
}

function shorten(content: Content, keepChars: number, view: View): Saving | undefined {
  const splice = shortenMiddle(content.text, keepChars, content.from);
  if (splice === undefined || typeof splice.text !== "string") return undefined;
  const gone = content.text.slice(splice.from - content.from, splice.to - content.from);
  const tokens = view.counter.countText(gone) - view.counter.countText(splice.text);
  return { edit: { kind: "splice", at: content.at, splices: [splice], reason: "truncate" }, tokens };
}

/** Contents that share one text (a call in XML beside words) make one edit of several splices. */
function mergeSplices(edits: readonly Edit[]): Edit[] {
  const merged = new Map<string, Edit>();
  for (const edit of edits) {
    const key = edit.kind === "splice" ? JSON.stringify(edit.at) : `${merged.size}`;
    const earlier = merged.get(key);
    const isSame = earlier?.kind === "splice" && edit.kind === "splice";
    merged.set(key, isSame ? { ...edit, splices: [...earlier.splices, ...edit.splices] } : edit);
  }
  return [...merged.values()];
}

function dropImages(view: View): Edit[] {
  const images = view.conversation.messages.flatMap((message, index) =>
    index === view.latestUserMessage
      ? []
      : message.blocks.flatMap((block, position) => imagesIn(block, index, position)),
  );
  return untilFit(view, images, ({ at, image }) => ({
    edit: { kind: "remove", at, left: "⟨ image removed ⟩", reason: "drop" },
    tokens: view.counter.countBlock(image),
  }));
}

function imagesIn(block: Block, message: number, position: number): { at: Place; image: ImageBlock }[] {
  if (block.type === "image") return [{ at: { message, block: position, path: [] }, image: block }];
  if (block.type !== "tool-result") return [];
  return block.content.flatMap((entry, index) =>
    entry.type === "image" ? [{ at: { message, block: position, path: [index] }, image: entry }] : [],
  );
}

/** Drops whole stretches from the front, up to the latest user message; a note tells that something is missing. */
function dropOldest(view: View): Edit[] {
  const end = view.latestUserMessage === -1 ? view.conversation.messages.length - 1 : view.latestUserMessage;
  let gone = 0;
  let cut = 0;
  const over = view.tokens - view.limits.budgetTokens;
  for (let index = 1; index <= end; index++) {
    gone += view.messageTokens[index - 1] ?? 0;
    if (view.cuts()[index] === true) cut = index;
    if (cut === index && gone > over) break;
  }
  if (cut === 0) return [];

  return [{ kind: "replace", from: 0, to: cut, with: [droppedNote(cut)], reason: "drop" }];
}

function shortenNewest(view: View): Edit[] {
  const newest = view.contents().contents.filter((content) => content.level === "result");
  return untilFit(view, newest, (content) => {
    const tokens = view.counter.countText(content.text);
    const over = view.tokens - view.limits.budgetTokens;
    const share = Math.max(0, 1 - (over + MARKER_TOKENS) / Math.max(tokens, 1));
    return shorten(content, Math.floor(content.text.length * share), view);
  });
}

/** Upper bound of what a marker costs. */
const MARKER_TOKENS = 60;
