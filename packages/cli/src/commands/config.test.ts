import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

it.each([[["config", "chek"]], [["config", "schema", "a.json"]], [["config", "check", "a.yaml", "b.yaml"]]])(
  "%j is a wrong call",
  async (args) => {
    const terminal = makeTerminal(tmpdir());
    expect(await run(args, terminal)).toBe(2);
  },
);
