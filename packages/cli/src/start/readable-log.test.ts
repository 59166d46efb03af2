import { describe, expect, it } from "vitest";
import { styleOf } from "../terminal/output.ts";
import { makeTerminal } from "../testing/terminal.ts";
import { logWriter, readableLine } from "./readable-log.ts";

const style = styleOf({ hasColours: false });
const entry = {
  level: 30,
  time: "2026-11-18T09:15:27.123Z",
  id: "lh_1",
  model: "claude-sonnet-4-5",
  status: 200,
  ms: 1_840,
  firstByteMs: 312,
  inputTokens: 12_345,
  costUsd: 0.0123,
  msg: "request finished",
};

describe("readableLine", () => {
  it("shows time, message and fields with their units", () => {
    expect(readableLine(`${JSON.stringify(entry)}\n`, style)).toBe(
      "09:15:27 request finished · claude-sonnet-4-5 · 200 · took 1.8 s · first byte 312 ms · input 12,345 · cost $0.0123\n",
    );
  });

  it("shows how a request was condensed, and who wrote a summary, in words", () => {
    const condensed = {
      originalTokens: 248_000,
      sentTokens: 91_000,
      strategy: "smart",
      origin: "new",
      isDeduplicated: false,
    };
    const writer = { kind: "model", upstream: "claude", model: "claude-opus-4-6", form: "compaction" };
    const lineOf = (fields: object) => readableLine(JSON.stringify({ time: entry.time, ...fields }), style).slice(9);
    expect(lineOf({ msg: "request finished", condensed })).toBe(
      "request finished · condensed with smart: 248,000 → 91,000 tokens\n",
    );
    expect(lineOf({ msg: "request finished", condensed: { ...condensed, origin: "reused" } })).toContain(
      "smart earlier:",
    );
    expect(lineOf({ msg: "x", condensed: { ...condensed, isDeduplicated: true } })).toContain(
      "repeats sent as references",
    );
    expect(lineOf({ msg: "summary written", writer })).toBe("summary written · by claude-opus-4-6 (compaction)\n");
    expect(lineOf({ msg: "summary failed", failures: [{ writer, why: "it returned no summary" }] })).toBe(
      "summary failed · claude-opus-4-6 (compaction) failed: it returned no summary\n",
    );
    expect(lineOf({ msg: "x", observed: { refused: "too long" }, warnings: ["a", "b"] })).toBe(
      "x · observed refused too long · warnings a, b\n",
    );
  });

  it("replaces control characters in messages, names, values and nested values, and keeps the lines of a stack", () => {
    const evil = "\u001b[2J\u009b1m\r\n";
    const fields = { time: `2026-11-18T${evil}`, msg: evil, model: evil, stack: `Error: ${evil}  at x` };
    const nested = {
      warnings: [evil],
      observed: { [evil]: { refused: evil } },
      failures: [{ writer: evil, why: evil }],
    };
    const line = readableLine(JSON.stringify({ ...fields, ...nested, writer: { model: evil }, status: evil }), style);
    expect(line).not.toMatch(/[^\P{Cc}\n]/u);
    expect(line.split("\n")).toHaveLength(4);
  });

  it("returns anything else unchanged", () => {
    expect(readableLine("not JSON\n", style)).toBe("not JSON\n");
  });

  it("adds the stack of an internal error", () => {
    const bug = JSON.stringify({ ...entry, level: 50, stack: "Error: no\n  at x" });
    expect(readableLine(bug, style)).toMatch(/cost \$0\.0123\nError: no\n {2}at x\n$/);
  });
});

describe("logWriter", () => {
  it("writes readable lines to a terminal, and JSON to a file or a pipe", () => {
    const line = `${JSON.stringify(entry)}\n`;
    const shell = { ...makeTerminal("/"), columns: 100 };
    logWriter(shell)(line);
    expect(shell.output()).toMatch(/^09:15:27 request finished/);
    const pipe = makeTerminal("/");
    logWriter(pipe)(line);
    expect(pipe.output()).toBe(line);
  });
});
