import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("answers like the vendors on the given port until it is stopped", async () => {
  const terminal = makeTerminal(folder);
  const exit = run(["simulate"], terminal);
  const url = (await terminal.announced).replace(/\.$/, "");
  const answer = await fetch(`${url}/v1/messages`, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  expect([answer.status, await answer.json()]).toMatchObject([
    401,
    { type: "error", error: { type: "authentication_error" } },
  ]);
  const second = makeTerminal(folder);
  const { port } = new URL(url);
  expect(await run(["simulate", "--port", port], second)).toBe(1);
  expect(second.errors()).toBe(
    `longhaul: cannot listen on port ${port}: another program uses this port; choose another one with --port\n`,
  );
  terminal.stop();
  expect(await exit).toBe(0);
});
