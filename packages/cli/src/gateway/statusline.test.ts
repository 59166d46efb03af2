import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { writeEvents } from "../testing/events.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

const store = join(folder, "s.db");
const nowMs = Date.now();

beforeAll(() =>
  writeEvents(store, [
    makeRequestEvent({ id: "a", session: "small", atMs: nowMs - 60_000, sentTokens: 0, windowTokens: 0 }),
    makeRequestEvent({
      id: "b",
      session: "long",
      atMs: nowMs,
      originalTokens: 231_400,
      sentTokens: 98_200,
      savedUsd: 1.234,
    }),
    makeRequestEvent({ id: "c", session: "long", errorCode: "x", atMs: nowMs + 10 }),
    makeRequestEvent({ id: "e", session: "long:agent", parent: "long", atMs: nowMs + 20, sentTokens: 5 }),
    makeRequestEvent({
      id: "d",
      session: "full",
      sentTokens: 1_900_000,
      windowTokens: 2_000_000,
      atMs: nowMs - 30_000,
    }),
  ]),
);

async function line(input: string, file = store, environment: Record<string, string> = { NO_COLOR: "1" }) {
  const terminal = makeTerminal(folder, environment, { input });
  expect([await run(["statusline", "--store", file], terminal), terminal.errors()]).toEqual([0, ""]);
  return terminal.output();
}

describe("statusline", () => {
  it("shows how full the window is, tokens received and sent, and the savings", async () => {
    expect(await line('{"session_id":"long","model":{"id":"x"}}')).toBe(
      "▰▰▰▰▰▱▱▱▱▱ 49% of 200k · 231k → 98k · $0.50 · saved $1.23\n",
    );
  });

  it("uses the vendor's count if nothing was condensed", async () => {
    expect(await line('{"session_id":"small"}')).toBe("▱▱▱▱▱▱▱▱▱▱ 0% · $0.25\n");
    expect(await line('{"session_id":"full"}')).toBe("▰▰▰▰▰▰▰▰▰▰ 95% of 2.0M · $0.25\n");
  });

  it.each(["", "no json", "[]", "{}"])(
    "shows the latest main thread if %j names no session, even if a sub-agent was used later",
    async (input) => {
      expect(await line(input)).toContain("231k → 98k");
    },
  );

  it("prints a short line if nothing is known or the store is broken", async () => {
    expect(await line('{"session_id":"other"}')).toBe("longhaul: no requests yet\n");
    expect(await line("", join(folder, "missing.db"))).toBe("longhaul: no requests yet\n");
    const broken = join(folder, "broken.db");
    writeFileSync(broken, "This is no database, and it is long enough to be taken for one. ".repeat(20));
    expect(await line("", broken)).toBe("longhaul: store.damaged\n");
  });

  it("prints colours, because Claude Code shows them", async () => {
    expect(await line('{"session_id":"full"}', store, {})).toContain("\u001b[33m▰");
  });
});
