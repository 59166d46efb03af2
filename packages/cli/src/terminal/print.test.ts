import { expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { printJson, printWarnings } from "./print.ts";

it("prints an object that programs and people read", () => {
  const terminal = makeTerminal("/");
  printJson({ a: [1] }, terminal);
  expect(terminal.output()).toBe('{\n  "a": [\n    1\n  ]\n}\n');
});

it("prints a line for each warning, apart from what was asked for", () => {
  const terminal = makeTerminal("/");
  printWarnings(["one", "two"], terminal);
  expect([terminal.output(), terminal.errors()]).toEqual(["", "warning: one\nwarning: two\n"]);
});
