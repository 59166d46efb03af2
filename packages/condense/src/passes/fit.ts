import { imageMisfit, mediaMisfits } from "../budget/misfits.ts";
import type { Content, Level } from "../content/content.ts";
import { nearestCut } from "../content/cuts.ts";
import { bytesOf, type LocatedMedia, type MediaLimits, mediaIn, mediaMark } from "../content/media.ts";
import type { Pass } from "../contract/strategy.ts";
import { limitOf, noteReserve, type View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { type Range, rangesAround, tokensOf } from "../summaries/ranges.ts";
import { dropRanges, GAP_TOKENS } from "./drop-text.ts";
import { editsOf, type Saving, savingsUntil, spliceSaving } from "./operations.ts";
import { shortenMiddle } from "./shorten.ts";

/** Characters kept of a shortened result, argument or text. */
const SHORT_CHARS = 1_000;
const TINY_CHARS = 120;
/** Characters that the task keeps in any case: at least 100 at either end, because cuts move to a nearby line end. */
const TASK_CHARS = 320;

/**
 * The last resort before an error: removes the least important content until the conversation fits its budget. Each pass runs only while it
 * does not fit; `cover` plans what to keep of the older messages before the oldest of them are dropped, and the newest result is shortened
 * last.
 */
export function fitPasses(cover: (view: View) => readonly Edit[]): readonly Pass[] {
  return [...SHORTENING, coverPass(cover), ...DROPPING];
}

const SHORTENING: readonly Pass[] = [
  rung("fit-older-results", "Shorten older results", (view) => shortenOlder(view, "result", SHORT_CHARS)),
  rung("fit-older-arguments", "Shorten older arguments", (view) => shortenOlder(view, "parameters", SHORT_CHARS)),
  rung("fit-images", "Drop older images", dropImages),
];

const DROPPING: readonly Pass[] = [
  rung("fit-tiny-results", "Shorten older results further", (view) => shortenOlder(view, "result", TINY_CHARS)),
  rung("fit-assistant-text", "Shorten older answers", (view) => shortenOlder(view, "text", SHORT_CHARS)),
  rung("fit-older-messages", "Drop the oldest messages", dropOldest),
  rung("fit-older-steps", "Drop the oldest steps", dropOldestSteps),
  {
    id: "fit-newest-results",
    name: "Shorten the newest results",
    plan: shortenNewest,
    applies: (view) => view.tokens > limitOf(view.limits),
  },
  {
    id: "fit-task",
    name: "Shorten the first user message",
    plan: shortenTask,
    applies: ({ tokens, limits, firstUserMessage, latestUserMessage }) =>
      tokens > limitOf(limits) && firstUserMessage !== latestUserMessage,
  },
];

function rung(id: string, name: string, plan: (view: View) => readonly Edit[]): Pass {
  return { id, name, plan, applies: (view) => view.tokens > view.limits.budgetTokens };
}

/** Where the task may be dropped, only recent messages count. */
function coverPass(cover: (view: View) => readonly Edit[]): Pass {
  const plan = (view: View) => {
    const { limits } = view;
    return cover({
      ...view,
      limits: { ...limits, targetTokens: limits.budgetTokens - noteReserve(limits.budgetTokens) },
    });
  };
  const pass = rung("fit-cover", "Keep the lines that will likely be needed", plan);
  return { ...pass, applies: (view) => isCoverable(view) && pass.applies?.(view) === true };
}

/** Largest share of the budget that the task may take if the rest is covered: it stays whole. */
const TASK_SHARE = 0.5;

/** Whether the task and the newest step can stay whole beside the remaining lines of the rest. */
function isCoverable(view: View): boolean {
  const { firstUserMessage, limits, messageTokens } = view;
  const newest = view.cuts().lastIndexOf(true, messageTokens.length - 1);
  const task = messageTokens[firstUserMessage] ?? Number.POSITIVE_INFINITY;
  return (
    task <= TASK_SHARE * limits.budgetTokens &&
    tokensOf(view, { from: newest, to: messageTokens.length }) < limits.budgetTokens / 2
  );
}

function shortenOlder(view: View, level: Level, keepChars: number): Edit[] {
  const older = view
    .contents()
    .contents.filter(
      (content) =>
        content.level === level && content.role !== "system" && isOlder(content, view) && !isUserText(content),
    );
  return untilFit(view, older, (content) => shorten(content, keepChars, view));
}

function isOlder({ at }: Content, view: View): boolean {
  return at.message < view.conversation.messages.length - 1 && at.message !== view.latestUserMessage;
}

function isUserText({ level, role }: Content): boolean {
  return level === "text" && role === "user";
}

/** Takes savings in order until the conversation fits the budget. */
function untilFit<T>(view: View, candidates: readonly T[], save: (candidate: T) => Saving | undefined): Edit[] {
  return editsOf(savingsUntil(overBudget(view), candidates, save));
}

function shorten(content: Content, keepChars: number, { counter }: View): Saving | undefined {
  return spliceSaving(content, shortenMiddle(content, keepChars), counter);
}

function dropImages(view: View): Edit[] {
  const images = view.conversation.messages
    .flatMap(mediaIn)
    .filter(({ at, block }) => block.type === "image" && at.message !== view.latestUserMessage);
  return untilFit(view, images, (image) => {
    return { edit: removal(image), tokens: view.counter.countBlock(image.block) };
  });
}

/** Drops messages up to the latest user message, oldest first. The task stays. */
function dropOldest(view: View): Edit[] {
  const last = view.conversation.messages.length - 1;
  return dropFrom(
    view,
    rangesAround(view, { from: 0, to: view.latestUserMessage === -1 ? last : view.latestUserMessage }),
  );
}

/** Drops steps of the loop after the latest user message, oldest first; the last one stays. */
function dropOldestSteps(view: View): Edit[] {
  const last = view.conversation.messages.length - 1;
  const from = nearestCut(view.cuts(), view.latestUserMessage + 1, "up");
  return dropFrom(view, rangesAround(view, { from, to: last }));
}

/** Drops messages from the start of each range until the conversation fits, including the marks. */
function dropFrom(view: View, ranges: readonly Range[]): Edit[] {
  let over = overBudget(view);
  const dropped: Range[] = [];
  for (const range of ranges) {
    const cut = over > 0 ? endOfDrop(view, range, over + GAP_TOKENS) : range.from;
    if (cut === range.from) continue;
    dropped.push({ from: range.from, to: cut });
    over -= tokensOf(view, { from: range.from, to: cut }) - GAP_TOKENS;
  }
  return dropRanges(view, dropped);
}

/** Returns the tokens over the budget, with room for the note. */
function overBudget({ tokens, limits: { budgetTokens } }: View): number {
  return tokens - budgetTokens + noteReserve(budgetTokens);
}

/** Returns the first legal cut after which more than `overTokens` of a range are gone, or else the last one. */
function endOfDrop(view: View, { from, to }: Range, overTokens: number): number {
  const { messages } = view.conversation;
  let gone = 0;
  let cut = from;
  for (let index = from + 1; index <= to; index++) {
    gone += view.messageTokens[index - 1] ?? 0;
    const opensWell = from > 0 || messages[index]?.role !== "assistant";
    if (view.cuts()[index] === true && opensWell) cut = index;
    if (cut === index && gone > overTokens) break;
  }
  return cut;
}

/** The very last step: cuts the middle out of the task. */
function shortenTask(view: View): Edit[] {
  const task = view
    .contents()
    .contents.filter(({ at, level }) => level === "text" && at.message === view.firstUserMessage);
  return shortenUntilFit(view, task, TASK_CHARS);
}

function shortenNewest(view: View): Edit[] {
  return shortenUntilFit(
    view,
    view.contents().contents.filter((content) => content.level === "result"),
  );
}

/** Shortens contents in the middle, each as far as needed, until the upstream accepts the size. */
function shortenUntilFit(view: View, candidates: readonly Content[], minChars = 0): Edit[] {
  const over = view.tokens - limitOf(view.limits);
  const savings = savingsUntil(over, candidates, (content) => {
    const tokens = view.counter.countText(content.text);
    const share = Math.max(0, 1 - (over + MARK_TOKENS) / Math.max(tokens, 1));
    return shorten(content, Math.max(minChars, Math.floor(content.text.length * share)), view);
  });
  return editsOf(savings);
}

/** Upper bound of a mark's tokens. */
const MARK_TOKENS = 60;

/**
 * Removes images that are too large and the oldest of too many, and also documents if the request has too many bytes. A mark replaces each.
 * The latest user message is not touched. If a limit is exceeded, the result stays a quarter below it.
 */
export const fitMediaPass: Pass = {
  id: "fit-media",
  name: "Drop older images",
  mayGrow: true,
  applies: ({ conversation, limits: { media = {} } }) => mediaMisfits(conversation, media).length > 0,
  plan: (view) => planRemovals(view, view.limits.media ?? {}),
};

function planRemovals(view: View, limits: MediaLimits): Edit[] {
  const media = view.conversation.messages.flatMap(mediaIn).filter(({ at }) => at.message !== view.latestUserMessage);
  const tooLarge = media.filter((entry) => imageMisfit(entry, limits) !== undefined);
  const gone = new Set(tooLarge);
  const over = overLimits(view, limits);
  for (const { block } of tooLarge) subtract(over, block);
  for (const entry of media) {
    if (!gone.has(entry) && helps(over, entry)) {
      gone.add(entry);
      subtract(over, entry.block);
    }
  }
  return media.filter((entry) => gone.has(entry)).map(removal);
}

/** Amounts over the limits. */
interface Over {
  images: number;
  bytes: number;
}

/** Share of a limit to aim at once it is exceeded, so that the next image does not change earlier messages again. */
const AIM = 0.75;

function overLimits({ conversation }: View, limits: MediaLimits): Over {
  const misfits = mediaMisfits(conversation, limits);
  const over = (what: "images" | "body-bytes") => {
    const found = misfits.find((misfit) => misfit.what === what);
    return found === undefined ? 0 : found.size - found.limit * AIM;
  };
  return { images: over("images"), bytes: over("body-bytes") };
}

function helps({ images, bytes }: Over, { block }: LocatedMedia): boolean {
  return (images > 0 && block.type === "image") || (bytes > 0 && bytesOf(block) > 0);
}

function subtract(over: Over, block: LocatedMedia["block"]): void {
  if (block.type === "image") over.images--;
  over.bytes -= bytesOf(block);
}

/** Returns the edit that removes an image or a document. */
function removal(media: LocatedMedia): Extract<Edit, { kind: "remove" }> {
  return { kind: "remove", at: media.at, left: mediaMark(media), reason: "drop" };
}
