import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { type TerminalProcess, terminalOf } from "./terminal.ts";

it("writes to the process's two streams and reads its environment", () => {
  const written: string[] = [];
  const terminal = terminalOf(makeProcess(new EventEmitter(), written));
  terminal.write("a\n");
  terminal.writeError("b\n");
  expect(written).toEqual(["out a\n", "err b\n"]);
  expect(terminal.environment).toEqual({ PORT: "1" });
});

it.each(["SIGINT", "SIGTERM"])("is stopped by the first %s, and leaves the second to the system", async (signal) => {
  const signals = new EventEmitter();
  const stopped = terminalOf(makeProcess(signals, [])).stopped();
  signals.emit(signal);
  await stopped;
  expect(signals.listenerCount(signal)).toBe(0);
});

function makeProcess(signals: EventEmitter, written: string[]): TerminalProcess {
  return {
    env: { PORT: "1" },
    once: signals.once.bind(signals) as TerminalProcess["once"],
    stdout: { write: (text) => written.push(`out ${text}`) },
    stderr: { write: (text) => written.push(`err ${text}`) },
  };
}
