import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exitOnLostOutput, type TerminalProcess, terminalOf } from "./terminal.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("writes to the process's two streams and reads its environment", () => {
  const written: string[] = [];
  const terminal = terminalOf({
    ...makeProcess(),
    stdout: { write: (text) => written.push(`out ${text}`) },
    stderr: { write: (text) => written.push(`err ${text}`) },
  });
  terminal.write("a\n");
  terminal.writeError("b\n");
  expect(written).toEqual(["out a\n", "err b\n"]);
  expect(terminal.environment).toEqual({ PORT: "1" });
});

it("writes no control characters to a terminal but its own, and all of them to a file or a pipe", () => {
  const texts: string[] = [];
  const stream = { write: (text: string) => texts.push(text) };
  const own = "\r\u001b[K\u001b[?7la\u001b[?7h\u001b[1mb\u001b[22m\tc\r\n";
  const foreign = "\u001b]52;c;eA==\u0007 \u001b[2J \u009b5n \u007f\b \r \0";
  const shell = terminalOf({
    ...makeProcess(),
    stdout: { ...stream, isTTY: true },
    stderr: { ...stream, isTTY: true },
  });
  shell.write(own + foreign);
  shell.writeError(own + foreign);
  terminalOf({ ...makeProcess(), stdout: stream }).write(own + foreign);
  const plain = own + foreign.replaceAll(/\p{Cc}/gu, " ");
  expect(texts).toEqual([plain, plain, own + foreign]);
});

it.each([
  [true, {}, { hasColours: true, isInteractive: true }],
  [undefined, {}, { hasColours: false, isInteractive: false }],
  [true, { NO_COLOR: "1" }, { hasColours: false, isInteractive: true }],
  [true, { NO_COLOR: "" }, { hasColours: true, isInteractive: true }],
  [true, { TERM: "dumb" }, { hasColours: false, isInteractive: false }],
])("has colours and progress only on a terminal (%j, %j)", (isTTY, env, expected) => {
  const stream = { write: () => true, ...(isTTY !== undefined && { isTTY }) };
  expect(terminalOf({ ...makeProcess(), env, stdout: stream, stderr: stream })).toMatchObject(expected);
});

it("throws if the current folder no longer exists, once it is needed", () => {
  const gone = () => {
    throw new Error("uv_cwd");
  };
  expect(terminalOf(makeProcess()).folder).toBe("/here");
  const terminal = terminalOf({ ...makeProcess(), cwd: gone });
  expect(() => terminal.folder).toThrow("the current folder no longer exists");
});

it("reads all of standard input", async () => {
  const stdin = Readable.from(["one ", "two"]);
  expect(await terminalOf({ ...makeProcess(), stdin }).readAll()).toBe("one two");
});

describe("confirm", () => {
  const asking = (input: string, isTTY: boolean) => {
    const asked: string[] = [];
    const stdin = Object.assign(Readable.from([input]), { isTTY });
    const stderr = { write: (text: string) => asked.push(text) };
    return { asked, answer: terminalOf({ ...makeProcess(), stdin, stderr }).confirm("Sure?") };
  };

  it.each([
    ["y\n", true],
    ["Yes\n", true],
    ["\n", false],
    ["no\n", false],
    ["", false],
  ])("reads %j as %j", async (input, expected) => {
    const { answer, asked } = asking(input, true);
    expect([await answer, asked]).toEqual([expected, ["Sure? [y/N] "]]);
  });

  it("does not ask if standard input is not a terminal", async () => {
    const { answer, asked } = asking("y\n", false);
    expect([await answer, asked]).toEqual([undefined, []]);
  });
});

describe("stopped", () => {
  it.each(["SIGINT", "SIGTERM"])("resolves at the first %s, and leaves the second to the system", async (signal) => {
    const signals = new EventEmitter();
    const stopped = terminalOf(makeProcess(signals)).stopped();
    signals.emit(signal);
    await stopped;
    expect(signals.listenerCount(signal)).toBe(0);
  });

  it("resolves when npm's shell, which forwards no signal, has ended", async () => {
    const process = { ...makeProcess(), cwd: () => "/here", env: { npm_lifecycle_event: "start" }, ppid: 10 };
    const stopped = watch(terminalOf(process).stopped());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stopped()).toBe(false);
    process.ppid = 1;
    await vi.advanceTimersByTimeAsync(1000);
    expect(stopped()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ignores the parent process if npm did not start it", async () => {
    const process = { ...makeProcess(), ppid: 10 };
    const stopped = watch(terminalOf(process).stopped());
    process.ppid = 1;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stopped()).toBe(false);
  });
});

it("forwards reload requests until it is unsubscribed", () => {
  const signals = new EventEmitter();
  let reloads = 0;
  const stop = terminalOf(makeProcess(signals)).onReload(() => {
    reloads += 1;
  });
  signals.emit("SIGHUP");
  signals.emit("SIGHUP");
  stop();
  expect([reloads, signals.listenerCount("SIGHUP")]).toEqual([2, 0]);
});

function watch(promise: Promise<void>): () => boolean {
  let isDone = false;
  void promise.then(() => {
    isDone = true;
  });
  return () => isDone;
}

function makeProcess(signals = new EventEmitter()): TerminalProcess {
  return {
    cwd: () => "/here",
    env: { PORT: "1" },
    ppid: 10,
    once: signals.once.bind(signals) as TerminalProcess["once"],
    on: signals.on.bind(signals) as TerminalProcess["on"],
    off: signals.off.bind(signals) as TerminalProcess["off"],
    stdout: { write: () => true },
    stderr: { write: () => true },
    stdin: Readable.from([]),
  };
}

function openOutput() {
  const ends: unknown[] = [];
  const errors: string[] = [];
  const stream = () => Object.assign(new EventEmitter(), { write: (text: string) => void errors.push(text) });
  const [stdout, stderr] = [stream(), stream()];
  const outlive = exitOnLostOutput({ stdout, stderr, exit: (given) => void ends.push(given) });
  const fail = (code: string) => stdout.emit("error", Object.assign(new Error("write"), { code }));
  return { outlive, fail, stderr, ends, errors };
}

it.each([
  ["EPIPE", undefined, ""],
  ["ENOSPC", 1, "longhaul: cannot write to standard output: the disk is full\n"],
])("exits once if writing fails with %s", (code, exitCode, message) => {
  const { fail, ends, errors } = openOutput();
  fail(code);
  expect([ends, errors.join("")]).toEqual([[exitCode], message]);
});

it.each([
  ["EPIPE", "its reader closed it"],
  ["ENOSPC", "the disk is full"],
])("keeps a gateway running if writing fails with %s, and reports it once", (code, why) => {
  const { outlive, fail, stderr, ends, errors } = openOutput();
  outlive();
  fail(code);
  fail(code);
  stderr.emit("error", new Error("write"));
  const line = `longhaul: cannot write to standard output: ${why}; the gateway keeps running without its log\n`;
  expect([ends, errors]).toEqual([[], [line]]);
});
