import type { Conversation, Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { decompose } from "../content/contents.ts";
import { groupBy } from "../edits/lists.ts";
import { textsIn } from "../edits/text-position.ts";
import { shortPath } from "../references/mark.ts";
import { framesIn } from "./cover.ts";
import { identifiersIn, listedTokens } from "./identifiers.ts";
import { isRealName } from "./real-name.ts";
import { knownVocabulary, openReader, rememberVocabulary, spansIn, type Vocabulary } from "./vocabulary.ts";

/** A conversation before and after condensing, and the size of the index. */
export interface IndexRequest {
  readonly raw: Conversation;
  readonly kept: Conversation;
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/**
 * Lists the names in the raw conversation that will most likely be needed and that the condensed one no longer contains, grouped by file,
 * within a token limit. Empty if there are none or no room. Deterministic.
 */
export function indexNames({ raw, kept, maxTokens, counter }: IndexRequest): string {
  const names = missingNames(raw, kept);
  let best = "";
  let count = countWithin(names, maxTokens);
  for (let attempt = 0; attempt < CORRECTIONS && count > 0; attempt++) {
    const text = renderNames(names.slice(0, count));
    const tokens = counter.countText(text);
    if (tokens <= maxTokens) best = text;
    const isFull = tokens > GOOD_USE * maxTokens || count === names.length;
    if (tokens <= maxTokens && isFull) break;
    const next = Math.floor((count * maxTokens) / tokens);
    count = tokens > maxTokens ? Math.min(count - 1, next) : Math.min(names.length, next);
  }
  return best;
}

/** Estimates per name do not add up exactly, so the number of names is corrected by the real size. */
const CORRECTIONS = 6;
/** An index that uses this share of its limit is good enough. */
const GOOD_USE = 0.93;

/** A name that the condensed conversation lacks. */
interface MissingName {
  readonly word: string;
  readonly file: string | undefined;
  readonly tokens: number;
  readonly value: number;
}

/** Returns the missing names, the most valuable per token first. */
function missingNames(raw: Conversation, kept: Conversation): MissingName[] {
  const vocabulary = vocabularyOf(raw.messages);
  const probabilities = vocabulary.probabilities();
  const known = wordsIn(kept.messages);
  const isKnown = (name: string) => known.has(name) || vocabulary.hasIdentifier(name);
  const missing: MissingName[] = [];
  for (const [word, term] of vocabulary.identifiers()) {
    const tokens = listedTokens(word);
    if (tokens === 0 || known.has(word) || !isRealName(word, isKnown)) continue;
    missing.push({ word, file: vocabulary.fileOf(term), tokens, value: (probabilities[term] ?? 0) / tokens });
  }
  return missing.sort((a, b) => b.value - a.value);
}

function countWithin(names: readonly MissingName[], maxTokens: number): number {
  let left = maxTokens;
  const end = names.findIndex(({ tokens }) => {
    left -= tokens;
    return left < 0;
  });
  return end === -1 ? names.length : end;
}

function wordsIn(messages: readonly Message[]): ReadonlySet<string> {
  const words = new Set<string>();
  const texts = messages.flatMap(({ blocks }) => blocks.flatMap(textsIn));
  for (const { text } of texts) for (const word of identifiersIn(text)) words.add(word);
  return words;
}

const HEADING = "Other names left out:";

/** A file gets its own group from this many names on. */
const GROUP_NAMES = 3;

/** Renders names as `Other names left out: a.ts (foo Bar) baz`. Spaces take no token of their own. */
function renderNames(names: readonly MissingName[]): string {
  const words = new Set(names.map(({ word }) => word));
  const groups = groupBy(names, ({ file }) => file);
  const isGroup = (file: string | undefined) => file !== undefined && (groups.get(file)?.length ?? 0) >= GROUP_NAMES;
  const parts = [...groups].flatMap(([file, members]) => {
    if (file === undefined || !isGroup(file)) return [];
    const path = pathIn(file);
    const inside = members.map(({ word }) => word).filter((word) => word !== path);
    return [`${words.has(path) ? file : shortPath(file)} (${inside.join(" ")})`];
  });
  const named = new Set(
    [...groups.keys()].flatMap((file) => (file !== undefined && isGroup(file) ? pathIn(file) : [])),
  );
  const single = names.filter(({ file, word }) => !isGroup(file) && !named.has(word)).map(({ word }) => word);
  return [HEADING, ...parts, ...single].join(" ");
}

/** Returns a path as the identifier that it is read as. */
function pathIn(file: string): string {
  return file.replace(/^[^\w$]+/, "");
}

/** Returns the vocabulary of messages: the one of an earlier pass, or a new one that is read in the same order. */
export function vocabularyOf(messages: readonly Message[]): Vocabulary {
  const known = knownVocabulary(messages);
  if (known !== undefined) return known;
  const { contents, ...rest } = decompose(messages);
  const frames = framesIn(contents, messages);
  const reader = openReader({ contents: [...contents, ...frames], ...rest }, messages.length, { recordsLines: false });
  for (const frame of frames) for (const span of spansIn(frame)) reader.read(frame, span);
  for (const content of contents) for (const span of spansIn(content)) reader.read(content, span);
  rememberVocabulary(messages, reader.vocabulary);
  return reader.vocabulary;
}
