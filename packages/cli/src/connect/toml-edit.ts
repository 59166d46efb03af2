import type { JsonValue } from "@longhaul/conversation";

/** TOML edited line by line: a path is a table's names and a key in it. Everything that is not named stays as it was written. */

/** Puts a value at a path, in the line that it has already, at the end of its table, or in a new table at the end. */
export function setToml(text: string, path: readonly string[], value: JsonValue): string {
  const { lines, from, to, at } = locate(text, path);
  const written = `${path.at(-1) ?? ""} = ${JSON.stringify(value)}`;
  if (at !== undefined) return join(lines.with(at, written));
  if (from !== undefined) return join(lines.toSpliced(endOfTable(lines, from, to), 0, written));
  const head = lines.length === 0 ? [] : [...withoutBlanksAtEnd(lines), ""];
  return join([...head, `[${path.slice(0, -1).map(spellName).join(".")}]`, written]);
}

/** The text at a path; nothing where there is none. Only values of one line are known. */
export function getToml(text: string, path: readonly string[]): JsonValue | undefined {
  const { lines, at } = locate(text, path);
  const value = at === undefined ? undefined : /=\s*(.*?)\s*(?:#.*)?$/.exec(lines[at] ?? "")?.[1];
  return value === undefined ? undefined : value.replace(/^(["'])(.*)\1$/, "$2");
}

/** Takes out a line, and the head of its table where nothing else stands in it. */
export function removeToml(text: string, path: readonly string[]): string {
  const { lines, from = 0, to, at } = locate(text, path);
  if (at === undefined) return text;
  const rest = lines.toSpliced(at, 1);
  const isEmpty = path.length > 1 && rest.slice(from, to - 1).every((line) => line.trim() === "");
  return join(isEmpty ? withoutBlanksAtEnd(rest.toSpliced(from - 1, to - from)) : rest);
}

interface Place {
  readonly lines: string[];
  /** The lines of the table: from the one after its head up to, not including, `to`. Absent where there is no such table. */
  readonly from: number | undefined;
  readonly to: number;
  /** The line of the key. */
  readonly at: number | undefined;
}

function locate(text: string, path: readonly string[]): Place {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const heads = headsIn(lines);
  const wanted = path.slice(0, -1).join("\u0000");
  const head = heads.findIndex(({ table }) => table === wanted);
  const from = wanted === "" ? 0 : head === -1 ? undefined : (heads[head]?.line ?? 0) + 1;
  const next = wanted === "" ? heads[0] : heads[head + 1];
  const to = from === undefined ? lines.length : (next?.line ?? lines.length);
  const name = (path.at(-1) ?? "").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const key = new RegExp(`^\\s*["']?${name}["']?\\s*=`);
  const found = lines.slice(from ?? to, to).findIndex((line) => key.test(line));
  return { lines, from, to, at: found === -1 || from === undefined ? undefined : from + found };
}

interface Head {
  readonly line: number;
  /** The table's names with a zero between. */
  readonly table: string;
}

/** Lines inside texts of several lines look like heads now and then. */
function headsIn(lines: readonly string[]): Head[] {
  let open = "";
  return lines.flatMap((line, index) => {
    const wasOpen = open !== "";
    for (const [quotes] of line.matchAll(/"""|'''/g)) open = open === "" ? quotes : open === quotes ? "" : open;
    const name = wasOpen ? undefined : /^\s*\[\[?\s*([^[\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
    return name === undefined ? [] : [{ line: index, table: namesIn(name) }];
  });
}

function namesIn(head: string): string {
  const names = [...head.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)];
  return names.map(([, double, single, bare]) => double ?? single ?? bare ?? "").join("\u0000");
}

function endOfTable(lines: readonly string[], from: number, to: number): number {
  let end = to;
  while (end > from && lines[end - 1]?.trim() === "") end--;
  return end;
}

function withoutBlanksAtEnd(lines: readonly string[]): string[] {
  return lines.slice(0, endOfTable(lines, 0, lines.length));
}

function spellName(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

function join(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
