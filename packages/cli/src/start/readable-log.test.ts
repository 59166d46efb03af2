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
