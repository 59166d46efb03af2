import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";
import { argumentClient } from "./clients.ts";

it.each([
  [["run"], 2, "missing required argument 'client'"],
  [["run", "emacs"], 2, 'there is no client "emacs"'],
  [["run", "cursor"], 1, "`longhaul connect cursor` says how it is done"],
])("%j is refused with %i", async (args, code, why) => {
  const terminal = makeTerminal(tmpdir());
  expect([await run(args, terminal), terminal.errors()]).toEqual([code, expect.stringContaining(why)]);
});

it("offers to run only what it can start", async () => {
  const terminal = makeTerminal(tmpdir());
  await run(["run", "--help"], terminal);
  expect(terminal.output()).toMatch(/choices: "claude-code"/);
  expect(terminal.output()).not.toContain("cursor");
});

describe("argumentClient", () => {
  it("finds a client by its id, or says which there are", () => {
    expect(argumentClient("Claude-Code").name).toBe("Claude Code");
    expect(() => argumentClient("emacs")).toThrow('there is no client "emacs"; choose among claude-code, codex');
  });
});
