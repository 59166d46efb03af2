import { LonghaulError } from "@longhaul/conversation";
import { CommanderError } from "commander";
import { expect, it } from "vitest";
import { ExitWith, exitCodeOf } from "./exit-code.ts";

it("distinguishes help, failures and wrong usage, and rethrows unexpected errors", () => {
  const written: string[] = [];
  const terminal = { writeError: (text: string) => void written.push(text) };
  expect(exitCodeOf(new CommanderError(0, "help", "help"), terminal)).toBe(0);
  expect(exitCodeOf(new CommanderError(1, "unknown", "unknown"), terminal)).toBe(2);
  expect(exitCodeOf(new ExitWith(7), terminal)).toBe(7);
  expect(exitCodeOf(new LonghaulError("log.unreadable", "no log"), terminal)).toBe(1);
  expect(written).toEqual(["longhaul: no log (log.unreadable)\n"]);
  expect(() => exitCodeOf(new TypeError("bug"), terminal)).toThrow("bug");
});
