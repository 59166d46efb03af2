import { isJsonArray, isJsonObject, type JsonValue } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";

/** Something that is still to be done, and the message that said so last. */
export interface Todo {
  readonly item: string;
  readonly message: number;
}

/**
 * What is still to be done after all contents of a conversation: unchecked boxes of checklists, lines that begin with the word to-do, and the lists
 * that tools keep, of each tool the latest one.
 */
export function openTodos(contents: readonly Content[]): Todo[] {
  const boxes = new Map<string, { isDone: boolean; message: number }>();
  const lists = new Map<string, readonly Todo[]>();
  for (const { level, text, use, at } of contents) {
    if (level === "result") continue;
    const { message } = at;
    for (const { item, isDone } of boxesIn(text)) boxes.set(item, { isDone, message });
    const list = level === "parameters" && use !== undefined ? listIn(use.input) : undefined;
    if (list !== undefined)
      lists.set(
        use?.name ?? "",
        list.map((item) => ({ item, message })),
      );
  }
  const unchecked = [...boxes].flatMap(([item, { isDone, message }]) => (isDone ? [] : [{ item, message }]));
  return [...unchecked, ...[...lists.values()].flat()];
}

const BOX =
  /^[ \t>]{0,20}(?:[-*+]|\d{1,3}\.)[ \t]{1,9}\[([ xX-])\][ \t]{1,9}(\S.*)$|^[ \t>]{0,20}(?:[-*+][ \t]{1,9})?TO-?DO\b:?[ \t]{0,9}(\S.*)$/gm;

function* boxesIn(text: string): Generator<{ item: string; isDone: boolean }> {
  for (const [, sign, item, todo] of text.matchAll(BOX)) {
    yield { item: (item ?? todo ?? "").trim(), isDone: sign === "x" || sign === "X" };
  }
}

const ITEM_KEYS = ["content", "step", "title", "task", "text", "description"];
const DONE = /^(completed?|done|cancell?ed)$/i;

/** The open items of the first list of items with a status in a tool's input; nothing where there is no such list. */
function listIn(input: JsonValue): string[] | undefined {
  const values = isJsonObject(input) ? Object.values(input) : [];
  const list = values.find((value): value is readonly JsonValue[] => isJsonArray(value) && value.some(isItem));
  return list?.flatMap((entry) => openItem(entry) ?? []);
}

function isItem(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value.status === "string";
}

function openItem(value: JsonValue): string | undefined {
  if (!isJsonObject(value) || (typeof value.status === "string" && DONE.test(value.status))) return undefined;
  const words = ITEM_KEYS.map((key) => value[key]).find((word) => typeof word === "string");
  return typeof words === "string" && words.trim() !== "" ? words.trim() : undefined;
}
