import { existsSync, lstatSync, realpathSync } from "node:fs";
import { type Style, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type FileChange, writeChange } from "./settings-file.ts";

export function isChange({ before, after, mode }: FileChange): boolean {
  return before !== after || mode !== undefined;
}

/** Shows the lines of a file that change. Secrets are hidden: the output may be pasted or recorded. */
export function describeChange({ path, before = "", after = "" }: FileChange, terminal: Terminal): string {
  const style = styleOf(terminal);
  const link = existsSync(path) && lstatSync(path).isSymbolicLink() ? ` (a link to ${realpathSync(path)})` : "";
  return `${style.bold(path)}${link}\n${hideSecrets(diff(before, after, style))}`;
}

/** Hides the secrets in a text. Of keys with a known form, a beginning stays that their owner recognizes. */
export function hideSecrets(text: string): string {
  return text
    .replaceAll(NAMED, (whole, start: string, value: string) => {
      return isHarmless(start, value) ? whole : `${start}${hintOf(value)}`;
    })
    .replaceAll(KEYS, hintOf)
    .replaceAll(PASSWORDS, "$1…@");
}

// A name that says so, and its value: in JSON, YAML, TOML, dotenv and headers, or an option before its value in a list of arguments. A value
// ends with its quote, or with the line if it has none; a line may end inside a JSON string. Names are bounded: the search would take cubic
// time in a long word.
const NAMED =
  /((?:(?:key|token|secret|passw|passphrase|credential)[\w-]{0,80}|auth|authorization|bearer|cookies?)["'`]?(?:[^\S\n]*[:=][^\S\n]*|(?<=--[\w-]{0,80}["'`]?)(?:,\s*(?=["'`])|[^\S\n]+))["'`]?(?:(?:Bearer|Basic|Token) +)?)((?<=")(?:\\[^nr]|[^"\\\n])+|(?<=')[^'\n]+|(?!\s)(?:(?!\\[nr])[^\n"'`,;{}[\]\p{Cc}])+)/giu;
/** Forms of vendors' keys and of signed tokens, and long random words. */
const KEYS =
  /\b(?:lh_|sk-|AIza|AQ\.|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|hf_|npm_|AKIA|eyJ)[\w.-]{12,}|\b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{28,}/g;
/** Passwords in URLs. */
const PASSWORDS = /(:\/\/[^\s/:@"']*:)[^\s/@"']+@/g;

const KNOWN_START = /^(?:lh_|sk-|AIza|AQ\.|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|hf_|npm_)/;
const HINT_CHARS = 4;
const MIN_CHARS = 12;

function hintOf(secret: string): string {
  const [start] = KNOWN_START.exec(secret) ?? [];
  const isLong = start !== undefined && secret.length >= start.length + MIN_CHARS;
  return `${isLong ? secret.slice(0, start.length + HINT_CHARS) : ""}…`;
}

/** A count of tokens, a flag, or the placeholder for clients that need a key. */
function isHarmless(start: string, value: string): boolean {
  return (/tokens/i.test(start) && /^\d+$/.test(value)) || /^(?:true|false|null|longhaul|<key>)$/.test(value);
}

/** Writes a change and says so. A change that changes nothing drops the undo record. */
export function applyChange(change: FileChange): string {
  writeChange(change);
  const { path, after, record } = change;
  const done = record !== undefined ? "Wrote" : after === undefined ? "Removed" : "Restored";
  return `${isChange(change) ? `${done} ${path}.\n` : ""}${describeNotes(change)}`;
}

export function describeNotes({ notes }: FileChange): string {
  return notes.map((note) => `${note}\n`).join("");
}

const CONTEXT_LINES = 2;

export function diff(before: string, after: string, style: Style): string {
  const rows = compare(linesOf(before), linesOf(after));
  const isNear = (index: number) =>
    rows.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(({ mark }) => mark !== " ");
  return rows
    .map((row, index) => ({ ...row, isShown: isNear(index) }))
    .flatMap(({ mark, line, isShown }, index, all) => {
      if (isShown) return [paint(mark, line, style)];
      return index > 0 && all[index - 1]?.isShown ? [style.dim("  …")] : [];
    })
    .map((line) => `${line}\n`)
    .join("");
}

interface Row {
  readonly mark: " " | "+" | "-";
  readonly line: string;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function paint(mark: Row["mark"], line: string, { good, bad }: Style): string {
  const text = `${mark} ${line}`;
  if (mark === " ") return text;
  return mark === "+" ? good(text) : bad(text);
}

/** Compares by the longest common subsequence, which is fast enough for settings files. */
function compare(before: readonly string[], after: readonly string[]): Row[] {
  const lengths = commonLengths(before, after);
  const rows: Row[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [old = "", fresh = ""] = [before[left], after[right]];
    if (left < before.length && right < after.length && old === fresh) {
      rows.push({ mark: " ", line: old });
      left++;
      right++;
    } else if (
      right === after.length ||
      (left < before.length && at(lengths, left + 1, right) >= at(lengths, left, right + 1))
    ) {
      rows.push({ mark: "-", line: old });
      left++;
    } else {
      rows.push({ mark: "+", line: fresh });
      right++;
    }
  }
  return rows;
}

function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let left = before.length - 1; left >= 0; left--) {
    for (let right = after.length - 1; right >= 0; right--) {
      const longer = Math.max(at(lengths, left + 1, right), at(lengths, left, right + 1));
      const row = lengths[left];
      if (row !== undefined) row[right] = before[left] === after[right] ? at(lengths, left + 1, right + 1) + 1 : longer;
    }
  }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], left: number, right: number): number {
  return lengths[left]?.[right] ?? 0;
}
