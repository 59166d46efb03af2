import { type Message, textMessage } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content/content.ts";
import { mediaIn, mediaMark } from "../content/media.ts";
import { filledText, oneOf, optionalSetting, setting, wholeNumber } from "../contract/setting.ts";
import type { OutputOf } from "../contract/standard-schema.ts";
import type { Edit, Splice } from "../edits/edit.ts";
import { positionKey } from "../edits/text-position.ts";
import { askFor } from "../summaries/ask.ts";
import { CONTENT_PROMPT } from "../summaries/prompts.ts";
import { amountOf, leftOutMark } from "./marks.ts";
import { MARK_WORTH, truncateHead } from "./shorten.ts";

/** Starts a summary that replaces one content. */
export const SUMMARIZED = "[Summary of ";

const positive = wholeNumber(1);

/** Configuration of an operation on a content. */
export const operationSchema = oneOf("operation", {
  keep: {},
  suppress: {},
  truncate: {
    maxLines: optionalSetting(positive),
    maxChars: optionalSetting(positive),
  },
  summarize: {
    maxTokens: setting(positive, 400),
    prompt: optionalSetting(filledText),
    profile: optionalSetting(filledText),
  },
});

/** One of the four operations with its parameters. */
export type Operation = OutputOf<typeof operationSchema>;

/** A content and the operation on it. */
export interface ChosenOperation {
  readonly content: Content;
  readonly operation: Operation;
}

/** Returns the edits for operations on contents. A content that would not become shorter is kept. All splices of one text form one edit. */
export function planOperations(chosen: readonly ChosenOperation[], counter: TokenCounter): Edit[] {
  return mergeSplices(chosen.flatMap(({ content, operation }) => planOperation(content, operation, counter) ?? []));
}

/** Returns the edit for one operation on one content, or undefined if the content is kept or would not become shorter. */
export function planOperation(content: Content, operation: Operation, counter: TokenCounter): Edit | undefined {
  switch (operation.operation) {
    case "keep":
      return undefined;
    case "suppress":
      return spliceEdit(content, suppress(content), "suppress");
    case "truncate":
      return spliceEdit(content, truncate(content, operation), "truncate");
    case "summarize":
      return spliceEdit(content, summarize(content, operation, counter), "summarize");
    default:
      return operation satisfies never;
  }
}

function spliceEdit({ at }: Content, splices: readonly Splice[], reason: SpliceEdit["reason"]): Edit | undefined {
  return splices.length === 0 ? undefined : { kind: "splice", at, splices, reason };
}

function suppress(content: Content): Splice[] {
  const { text, from, to } = content;
  const mark = leftOutMark(content, text);
  return text.length <= MARK_WORTH * mark.length ? [] : [{ from, to, text: mark }];
}

const DEFAULT_MAX_CHARS = 500;

function truncate(content: Content, { maxLines, maxChars }: Extract<Operation, { operation: "truncate" }>): Splice[] {
  const limits =
    maxLines === undefined && maxChars === undefined ? { maxChars: DEFAULT_MAX_CHARS } : { maxLines, maxChars };
  const splice = truncateHead(content, limits);
  return splice === undefined ? [] : [splice];
}

function summarize(
  content: Content,
  options: Extract<Operation, { operation: "summarize" }>,
  counter: TokenCounter,
): Splice[] {
  const { from, to, text, role } = content;
  const start = `${SUMMARIZED}${amountOf(text)}: `;
  if (text.length <= MARK_WORTH * start.length) return [];
  const ask = askFor(
    {
      messages: [textMessage(role, text)],
      prompt: options.prompt ?? CONTENT_PROMPT,
      maxTokens: options.maxTokens,
      ...(options.profile === undefined ? {} : { profile: options.profile }),
    },
    counter,
  );
  return [
    { from, to: from, text: start },
    { from, to, text: ask },
    { from: to, to, text: "]" },
  ];
}

/** Removes the images and documents in a message's tool results. They are kept or dropped whole, never cut. */
export function suppressMedia(found: Message, message: number): Extract<Edit, { kind: "remove" }>[] {
  return mediaIn(found, message)
    .filter(({ at }) => at.path.length > 0)
    .map((media) => ({ kind: "remove", at: media.at, left: mediaMark(media), reason: "suppress" }));
}

type SpliceEdit = Extract<Edit, { kind: "splice" }>;

/** Joins the splices of each text into one edit, because edits of one plan must not overlap. */
export function mergeSplices(edits: readonly Edit[]): Edit[] {
  const merged: Edit[] = [];
  const known = new Map<string, number>();
  for (const edit of edits) {
    const key = edit.kind === "splice" ? positionKey(edit.at) : "";
    const position = edit.kind === "splice" ? known.get(key) : undefined;
    const earlier = position === undefined ? undefined : merged[position];
    if (edit.kind === "splice" && position !== undefined && earlier?.kind === "splice") {
      merged[position] = { ...earlier, splices: [...earlier.splices, ...edit.splices] };
      continue;
    }
    if (edit.kind === "splice") known.set(key, merged.length);
    merged.push(edit);
  }
  return merged;
}

/** An edit and the tokens that it saves. */
export interface Saving {
  readonly edit: Edit;
  readonly tokens: number;
}

/** Takes savings in order until they cover `overTokens`. `save` gets the remaining excess; candidates that save nothing are skipped. */
export function savingsUntil<T>(
  overTokens: number,
  candidates: readonly T[],
  save: (candidate: T, overTokens: number) => Saving | undefined,
): Saving[] {
  const savings: Saving[] = [];
  let over = overTokens;
  for (const candidate of candidates) {
    if (over <= 0) break;
    const saving = save(candidate, over);
    if (saving === undefined || saving.tokens <= 0) continue;
    savings.push(saving);
    over -= saving.tokens;
  }
  return savings;
}

/** Returns the edits of savings, with all splices of one text in one edit. */
export function editsOf(savings: readonly Saving[]): Edit[] {
  return mergeSplices(savings.map((saving) => saving.edit));
}

/** Returns the saving of a splice. */
export function spliceSaving(content: Content, splice: Splice | undefined, counter: TokenCounter): Saving | undefined {
  if (splice === undefined || typeof splice.text !== "string") return undefined;
  const gone = content.text.slice(splice.from - content.from, splice.to - content.from);
  const tokens = counter.countText(gone) - counter.countText(splice.text);
  return { edit: { kind: "splice", at: content.at, splices: [splice], reason: "truncate" }, tokens };
}
