import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { run } from "../program.ts";
import { CODEX_ROWS } from "../testing/connect-codex-rows.ts";
import { CLAUDE_ROWS, CONTINUE_ROWS, type ConnectRow, QWEN_ROWS } from "../testing/connect-rows.ts";
import { makeTerminal } from "../testing/terminal.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));

const TABLES = [
  ["codex", ".codex/config.toml", CODEX_ROWS],
  ["claude-code", ".claude/settings.json", CLAUDE_ROWS],
  ["qwen-code", ".qwen/.env", QWEN_ROWS],
  ["continue", ".continue/config.yaml", CONTINUE_ROWS],
] as const;
const CASES = TABLES.flatMap(([client, file, rows]) =>
  rows.map((row) => ({ client, file, row, title: `${client}: ${row.name}` })),
);

it.each(CASES)("writes and undoes, or rejects: $title", async ({ client, file, row }) => {
  const home = mkdtempSync(join(root, "h"));
  const path = join(home, file);
  arrange(home, path, row);
  const call = callIn(home);
  const before = contentsOf(home);
  const key = row.key === undefined ? [] : ["--key", row.key];
  const write = await call([
    "connect",
    client,
    "--write",
    "--yes",
    "--url",
    "http://127.0.0.1:1",
    "--model",
    "m",
    ...key,
  ]);
  if (row.refused !== undefined) {
    expect([write.exit, write.errors]).toEqual([
      1,
      expect.stringMatching(row.refused instanceof RegExp ? row.refused : escaped(row.refused)),
    ]);
    expect(contentsOf(home)).toEqual(before);
    if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) chmodSync(dirname(path), 0o755);
    return;
  }
  const dead = expect.stringMatching(/^(?:Warning: no gateway is running at .*\n)?$/);
  expect([write.exit, write.errors, readFileSync(path, "utf8")]).toEqual([0, dead, row.written]);
  if (row.writtenMode !== undefined) expect(statSync(path).mode & 0o777).toBe(row.writtenMode);
  if (row.mode !== undefined && row.writtenMode !== row.mode)
    expect(write.output).toMatch(/permissions from 0\d+ to 0600/);
  change(path, row);
  const undo = await call(["connect", client, "--undo", "--yes"]);
  const named = [...undo.output.matchAll(/^Kept (\S+) in /gm)].map(([, each]) => each);
  expect([undo.exit, undo.errors, named]).toEqual([
    row.undoRefused === undefined ? 0 : 1,
    expect.stringContaining(row.undoRefused ?? ""),
    row.kept ?? [],
  ]);
  if (row.undone === undefined) {
    expect(contentsOf(home)).toEqual(before);
    return;
  }
  expect(readFileSync(path, "utf8")).toBe(row.undone);
  const record = row.undoRefused === undefined ? [] : [`${basename(path)}.longhaul-undo`];
  expect(readdirSync(dirname(path)).sort()).toEqual([basename(path), ...record]);
});

it("covers at least 60 configurations", () => {
  expect(CASES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(CASES.map(({ title }) => title)).size).toBe(CASES.length);
});

function arrange(home: string, path: string, row: ConnectRow): void {
  if (row.text === undefined && row.arrange === undefined) return;
  mkdirSync(dirname(path));
  if (row.text !== undefined) writeFileSync(path, row.text);
  if (row.mode !== undefined) chmodSync(path, row.mode);
  row.arrange?.(home, path);
}

function change(path: string, { since }: ConnectRow): void {
  if (since === undefined) return;
  const text = since(readFileSync(path, "utf8"));
  if (text === undefined) rmSync(path);
  else writeFileSync(path, text);
}

function callIn(home: string) {
  return async (args: readonly string[]) => {
    const terminal = makeTerminal(home);
    const exit = await run(args, terminal);
    return { exit, output: terminal.output(), errors: terminal.errors() };
  };
}

/** Returns everything below a folder: the bytes of files, permissions, and links as links. */
function contentsOf(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(home, name);
      const stats = lstatSync(path);
      const content = stats.isSymbolicLink() ? readlinkSync(path) : stats.isFile() ? readFileSync(path, "hex") : "";
      return `${name} ${stats.mode.toString(8)} ${content}`;
    });
}

function escaped(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}
