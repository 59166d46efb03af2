import {
  type Block,
  isJsonObject,
  type JsonValue,
  type Message,
  type Position,
  type ResultBlock,
} from "@longhaul/conversation/advanced";

/** Path to a text inside a block: empty for a text block, the entry index of a tool result, the keys of a tool call's input. */
export type Path = readonly (string | number)[];

/** Position of a text in a conversation. */
export interface TextPosition extends Position {
  readonly path: Path;
}

export const NO_POSITION: TextPosition = { message: -1, block: -1, path: [] };

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

export function samePosition(a: TextPosition, b: TextPosition): boolean {
  return a.message === b.message && a.block === b.block && samePath(a.path, b.path);
}

/** Whether `path` is `outer` or lies inside it. */
export function isInside(path: Path, outer: Path): boolean {
  return outer.every((key, index) => path[index] === key);
}

export function positionKey({ message, block, path }: TextPosition): string {
  return path.length === 0 ? blockKey({ message, block }) : JSON.stringify([message, block, ...path]);
}

export function blockKey({ message, block }: Position): string {
  return `${message}/${block}`;
}

interface LocatedText {
  readonly path: Path;
  readonly text: string;
}

/** Returns every text in a block that may be cut, in reading order. Thinking, images and unknown blocks are kept or dropped whole. */
export function textsIn(block: Block): LocatedText[] {
  if (block.type === "text") return [{ path: [], text: block.text }];
  if (block.type === "tool-call") return [...stringsIn(block.input, [])];
  if (block.type !== "tool-result") return [];
  return block.content.flatMap((entry, index) => (entry.type === "text" ? [{ path: [index], text: entry.text }] : []));
}

function* stringsIn(value: JsonValue, path: Path): Generator<LocatedText> {
  if (typeof value === "string") yield { path, text: value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of isJsonObject(value) ? Object.entries(value) : value.entries()) {
    yield* stringsIn(inner, [...path, key]);
  }
}

/** Returns a text of a message, or an empty string if there is none. */
export function textIn(message: Message | undefined, { block, path }: Pick<TextPosition, "block" | "path">): string {
  const found = message?.blocks[block];
  return found === undefined ? "" : (textAt(found, path) ?? "");
}

export function textAt(block: Block, path: Path): string | undefined {
  if (block.type === "text") return path.length === 0 ? block.text : undefined;
  if (block.type === "tool-call") return stringAt(block.input, path);
  if (block.type !== "tool-result") return undefined;
  const entry = block.content[Number(path[0])];
  return path.length === 1 && entry?.type === "text" ? entry.text : undefined;
}

function stringAt(value: JsonValue, path: Path): string | undefined {
  let current: JsonValue | undefined = value;
  for (const key of path) current = childOf(current, key);
  return typeof current === "string" ? current : undefined;
}

function childOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (value === undefined || typeof value !== "object" || value === null) return undefined;
  if (isJsonObject(value)) return Object.hasOwn(value, key) ? value[key] : undefined;
  return value[Number(key)];
}

/** Returns the block with the text at `path` replaced. */
export function withText(block: Block, path: Path, text: string): Block {
  if (block.type === "text") return withoutNative({ ...block, text });
  if (block.type === "tool-call") return withoutNative({ ...block, input: withString(block.input, path, text) });
  if (block.type !== "tool-result") return block;
  return withEntry(block, Number(path[0]), (entry) =>
    entry.type === "text" ? withoutNative({ ...entry, text }) : entry,
  );
}

export function withEntry(
  block: Extract<Block, { type: "tool-result" }>,
  index: number,
  replace: (entry: ResultBlock) => ResultBlock,
): Block {
  const content = block.content.map((entry, position) => (position === index ? replace(entry) : entry));
  return withoutNative({ ...block, content });
}

function withString(value: JsonValue, path: Path, text: string): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  if (typeof value !== "object" || value === null) return value;
  if (isJsonObject(value)) return { ...value, [key]: withString(value[key] ?? null, rest, text) };
  return value.map((entry, index) => (index === Number(key) ? withString(entry, rest, text) : entry));
}

/** Drops the native value of an edited part, so that no encoder writes the old value. */
export function withoutNative<T extends { native?: unknown }>(part: T): T {
  const copy = { ...part };
  delete copy.native;
  return copy;
}
