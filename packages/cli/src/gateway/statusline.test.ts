import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { changedTerminal } from "../terminal/terminal.ts";
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
    makeRequestEvent({ id: "f", session: "refused", status: 404, errorCode: "upstream.refused", atMs: nowMs + 30 }),
    makeRequestEvent({ id: "g", session: "long", action: "aside", sentTokens: 476, atMs: nowMs + 40, costUsd: 0 }),
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

  it("shows the latest session on a terminal, without waiting for input", async () => {
    const typed = makeTerminal(folder, { NO_COLOR: "1" });
    const terminal = changedTerminal(typed, { hasInput: false, readAll: () => new Promise(() => {}) });
    expect(await run(["statusline", "--store", store], terminal)).toBe(0);
    expect(typed.output()).toBe(await line(""));
    expect(typed.errors()).toContain("`longhaul statusline --help` shows how Claude Code calls this command");
  });

  it("uses the vendor's count if nothing was condensed", async () => {
    expect(await line('{"session_id":"small"}')).toBe("▱▱▱▱▱▱▱▱▱▱ 0% · $0.25\n");
    expect(await line('{"session_id":"full"}')).toBe("▰▰▰▰▰▰▰▰▰▰ 95% of 2M · $0.25\n");
  });

  it.each(["", "no json", "[]", "{}"])(
    "shows the latest main thread if %j names no session, even if a sub-agent or a session without an answer was used later",
    async (input) => {
      expect(await line(input)).toContain("231k → 98k");
    },
  );

  it("prints a short line if nothing is known or the store is broken", async () => {
    expect(await line('{"session_id":"other"}')).toBe("longhaul: no answered requests in this session yet\n");
    expect(await line("", join(folder, "missing.db"))).toBe("longhaul: no answered requests yet\n");
    const broken = join(folder, "broken.db");
    writeFileSync(broken, "This is no database, and it is long enough to be taken for one. ".repeat(20));
    expect(await line("", broken)).toBe("longhaul: store.damaged\n");
  });

  it("prints colours, because Claude Code shows them", async () => {
    expect(await line('{"session_id":"full"}', store, {})).toContain("\u001b[33m▰");
  });
});

describe("statusline as a program", () => {
  it("loads neither the engine nor the gateway nor a store", () => {
    const loaded = loadedFiles(["statusline", "--store", store]);
    expect(loaded.length).toBeGreaterThan(5);
    const heavy =
      /packages\/(?:condense|gateway|admin|fit|wire|settings|simulator)\/|kysely|zod|packages\/store\/src\/(?!sqlite\/read-status)/;
    expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
  });

  it("finds the database of a configuration file, and reads the whole configuration only if the file is about the database", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const show = async () => {
      const terminal = makeTerminal(home, { NO_COLOR: "1" }, { input: '{"session_id":"long"}' });
      expect(await run(["statusline"], terminal)).toBe(0);
      return terminal.output();
    };
    writeFileSync(join(home, "longhaul.yaml"), "log: { level: silent }\n");
    expect(await show()).toBe("longhaul: no answered requests in this session yet\n");
    writeFileSync(join(home, "longhaul.yaml"), `store: { path: "${store}" }\n`);
    expect(await show()).toContain("231k → 98k");
  });
});

/** Returns the files of modules that a command loads. */
function loadedFiles(args: readonly string[]): string[] {
  const main = fileURLToPath(new URL("../../bin/longhaul.mjs", import.meta.url));
  const hook = `import module from "node:module"; module.registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context); } });`;
  const flags = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
  const { stderr } = spawnSync(process.execPath, [...flags, main, ...args], { input: "", encoding: "utf8" });
  return stderr.split("\n").filter((line) => line.startsWith("file:"));
}
