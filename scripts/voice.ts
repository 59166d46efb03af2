// Counts phrases that plain technical English avoids: `node scripts/voice.ts [--list] [--before <other checkout>] [path…]`.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, readFiles } from "../test/repository.ts";
import { findVoiceMarks, type TextKind, type VoiceMark } from "./voice-marks.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean" }, before: { type: "string" } },
});
const KINDS: readonly TextKind[] = ["comment", "title", "string", "docs"];

const after = marksUnder(ROOT);
const before = values.before === undefined ? undefined : marksUnder(resolve(values.before));
if (values.list)
  for (const { path, line, kind, mark, text } of after) console.log(`${path}:${line} ${kind} [${mark}] ${text}`);
const names = [...new Set([...after, ...(before ?? [])].map(({ mark }) => mark))].sort();
console.table(
  Object.fromEntries([...names.map((name) => [name, row(name)] as const), ["all", row(undefined)] as const]),
);

function marksUnder(root: string): VoiceMark[] {
  const isSelected = (path: string) => positionals.length === 0 || positionals.some((start) => path.startsWith(start));
  const files = readFiles((path) => isSelected(path) && /\.(?:ts|tsx|mjs|md)$/.test(path), root);
  return files.flatMap(findVoiceMarks);
}

function row(name: string | undefined): Record<string, string> {
  const count = (marks: readonly VoiceMark[], kind?: TextKind) =>
    marks.filter((mark) => (name === undefined || mark.mark === name) && (kind === undefined || mark.kind === kind))
      .length;
  const cell = (kind?: TextKind) => `${before === undefined ? "" : `${count(before, kind)} → `}${count(after, kind)}`;
  return { ...Object.fromEntries(KINDS.map((kind) => [kind, cell(kind)])), all: cell() };
}
