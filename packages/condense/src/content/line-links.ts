/** A span of a text: a line, or a part of a long one. */
interface LineSpan {
  readonly from: number;
  readonly to: number;
}

const NAMES = "option|approach|alternative|variant|choice|plan|step|phase|part|item|point|issue";
/** A reference such as `option 2`, `Step 3` or `(B)`. */
const REFERENCE = new RegExp(
  `\\b(?<name>${NAMES})s? #?(?<label>[A-H]|\\d{1,2})\\b|\\((?<item>[A-H]|\\d{1,2})\\)`,
  "gi",
);
/** The start of a line that defines a label: `**Option A:** …`, `### Step 3`, `2. …`, `B) …`. */
const DEFINITION = new RegExp(
  `^[\\s>#*_-]{0,12}(?:(?<name>${NAMES}) (?<label>[A-H]|\\d{1,2})\\b|\\(?(?<item>[A-H]|\\d{1,2})[.):](?=[\\s*_]))`,
  "i",
);

/** Most characters of a definition that a reference needs. */
const DEFINITION_CHARACTERS = 300;
/** A name and a label with fewer characters after them are only a heading. */
const HEADING_CHARACTERS = 20;

/**
 * Returns for each span of a text the others that it needs to make sense: the definitions of the options or steps that it refers to or
 * describes, and the other items of a short numbered list. Spans must be in order.
 */
export function linksIn(text: string, spans: readonly LineSpan[]): ReadonlyMap<number, readonly number[]> {
  const links = new Map<number, ReadonlySet<number>>();
  const add = (index: number, needed: readonly number[]) => {
    const all = new Set([...(links.get(index) ?? []), ...needed]);
    all.delete(index);
    if (all.size > 0) links.set(index, all);
  };
  const definitions = new Map<string, readonly number[]>();
  let block: readonly number[] = [];
  for (const [index, { from, to }] of spans.entries()) {
    const line = text.slice(from, to);
    const label = startsLine(text, from) ? labelOf(line) : undefined;
    if (line.trim() === "" || label !== undefined) block = [];
    add(index, block);
    for (const { groups } of line.matchAll(REFERENCE)) add(index, definitionOf(groups, definitions));
    if (label === undefined) continue;
    const definition = definitionFrom(text, spans, { first: index, isHeading: label.isHeading });
    definitions.set(label.key, definition);
    if (label.isNamed) block = definition;
  }
  for (const list of shortLists(text, spans)) for (const index of list) add(index, list);
  return new Map([...links].map(([index, needed]) => [index, [...needed].sort((a, b) => a - b)]));
}

/** The label that a line defines. */
interface Label {
  readonly key: string;
  /** Whether it has a name, such as `Option A`; items of lists have none. */
  readonly isNamed: boolean;
  readonly isHeading: boolean;
}

function labelOf(line: string): Label | undefined {
  const found = DEFINITION.exec(line);
  const [key] = keysOf(found?.groups);
  if (key === undefined || found === null) return undefined;
  const isNamed = found.groups?.name !== undefined;
  return { key, isNamed, isHeading: isNamed && line.length - found[0].length < HEADING_CHARACTERS };
}

function startsLine(text: string, from: number): boolean {
  return from === 0 || text[from - 1] === "\n";
}

function definitionOf(
  reference: Readonly<Record<string, string>> | undefined,
  definitions: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  return keysOf(reference).flatMap((key) => definitions.get(key) ?? []);
}

/** Returns the keys of a label: its own, and that of an item of a list. A small letter is an article. */
function keysOf({ name, label, item = label }: Readonly<Record<string, string | undefined>> = {}): string[] {
  if (item === undefined || !/^[A-H\d]/.test(item)) return [];
  return [...(name === undefined ? [] : [`${name.toLowerCase()} ${item}`]), `item ${item}`];
}

/** Returns the spans of the line that a definition begins with, and of the next line if the first one is only a heading. */
function definitionFrom(
  text: string,
  spans: readonly LineSpan[],
  { first, isHeading }: { readonly first: number; readonly isHeading: boolean },
): number[] {
  const from = spans[first]?.from ?? 0;
  let lines = 0;
  let end = first;
  for (; end < spans.length; end++) {
    const span = spans[end];
    if (span === undefined || span.from - from > DEFINITION_CHARACTERS) break;
    if (startsLine(text, span.from)) lines++;
    if (lines > (isHeading ? 2 : 1)) break;
  }
  return Array.from({ length: end - first }, (_, offset) => first + offset);
}

/** Longest list, in characters and lines, that is kept or left out whole. */
const SHORT_LIST_CHARACTERS = 400;
const SHORT_LIST_LINES = 20;

const ITEM = /^\s{0,3}(\d{1,2})[.)]\s/;

/** The spans of a numbered list so far, with the lines that continue its items. */
interface NumberedList {
  readonly indexes: number[];
  /** Of its last item. */
  number: number;
  items: number;
  isOpen: boolean;
}

function shortLists(text: string, spans: readonly LineSpan[]): (readonly number[])[] {
  const lists: NumberedList[] = [];
  for (const [index, { from, to }] of spans.entries()) {
    const line = text.slice(from, to);
    const isStart = startsLine(text, from);
    const number = isStart ? Number(ITEM.exec(line)?.[1]) : Number.NaN;
    const last = lists.at(-1);
    const list = last?.isOpen === true ? last : undefined;
    if (list?.number === number - 1) addItem(list, index);
    else if (!Number.isNaN(number)) lists.push({ indexes: [index], number, items: 1, isOpen: true });
    else if (isStart && /^\S/.test(line) && list !== undefined) list.isOpen = false;
    else if (line.trim() !== "") list?.indexes.push(index);
  }
  const isShort = ({ indexes, items }: NumberedList) =>
    items > 1 &&
    indexes.length <= SHORT_LIST_LINES &&
    (spans[indexes.at(-1) ?? 0]?.to ?? 0) - (spans[indexes[0] ?? 0]?.from ?? 0) <= SHORT_LIST_CHARACTERS;
  return lists.filter(isShort).map(({ indexes }) => indexes);
}

function addItem(list: NumberedList, index: number): void {
  list.indexes.push(index);
  list.number++;
  list.items++;
}
