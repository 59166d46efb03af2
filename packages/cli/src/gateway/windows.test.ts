import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGateway } from "@longhaul/gateway";
import { parseConfig } from "@longhaul/settings";
import { type LearnedWindow, openStore, WINDOW_LIFETIME_MS } from "@longhaul/store";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));

const now = Date.now();
const OPUS = { upstream: "claude", model: "opus", credential: "configured", windowTokens: 180_000, learnedAtMs: now };
const OLD = { ...OPUS, model: "haiku", learnedAtMs: now - WINDOW_LIFETIME_MS };
const CLIENTS = { ...OPUS, upstream: "own", credential: "0123456789abcdef", learnedAtMs: now - 1 };

/** Makes a home whose store has these learned windows, or that has no store. */
async function homeWith(windows?: readonly LearnedWindow[]) {
  const home = mkdtempSync(join(root, "h"));
  const path = join(home, ".local", "share", "longhaul", "longhaul.db");
  if (windows !== undefined) {
    const store = await openStore({ path, nowMs: Date.now });
    for (const window of windows) await store.windows.learn(window);
    await store.close();
  }
  const call = async (...args: string[]) => {
    const terminal = makeTerminal(home);
    const exit = await run(["windows", ...args], terminal);
    return { exit, output: terminal.output(), errors: terminal.errors() };
  };
  return { home, path, call };
}

const until = (learnedAtMs: number) => new Date(learnedAtMs + WINDOW_LIFETIME_MS).toISOString();

describe("windows", () => {
  it("lists learned windows, the latest first", async () => {
    const { call } = await homeWith([OLD, CLIENTS, OPUS]);
    const { exit, output } = await call();
    expect([exit, output]).toEqual([
      0,
      [
        `claude opus: 180,000 tokens, valid until ${until(now)}\n`,
        `own opus: 180,000 tokens, for the client credential 01234567…, valid until ${until(now - 1)}\n`,
        `claude haiku: 180,000 tokens, expired ${until(OLD.learnedAtMs)}\n`,
      ].join(""),
    ]);
  });

  it("prints that nothing was learned, and creates no store", async () => {
    const { call, path } = await homeWith();
    expect(await call()).toMatchObject({
      exit: 0,
      output: `No learned windows: the database ${path} does not exist. Connect a client and start the gateway with \`longhaul setup\`.\n`,
    });
    expect(existsSync(path)).toBe(false);
    expect((await (await homeWith([])).call()).output).toBe("No learned windows.\n");
  });

  it("clears the windows of an upstream or one model, and mentions the reload", async () => {
    const { call } = await homeWith([OLD, CLIENTS, OPUS]);
    const { output } = await call("--forget", "claude", "opus");
    expect(output).toMatch(/^Cleared claude opus: 180,000 tokens.*\nA running gateway .* SIGHUP.*\n$/);
    expect((await call()).output).toMatch(/^own opus.*\nclaude haiku.*\n$/);
    await call("--forget", "own");
    expect((await call()).output).toMatch(/^claude haiku.*\n$/);
  });

  it.each([
    [["claude", "sonnet"], '"sonnet" at upstream "claude" (learned: claude opus)'],
    [["openai"], 'upstream "openai" (learned: claude opus)'],
    [["claude", "opus", "haiku"], "--forget takes an upstream and at most one model; remove haiku"],
  ])("rejects --forget %j", async (names, why) => {
    const { call } = await homeWith([OPUS]);
    const { exit, errors } = await call("--forget", ...names);
    expect([exit, errors]).toEqual([1, expect.stringContaining(why)]);
    expect((await call()).output).toMatch(/^claude opus/);
  });

  it("takes effect in a running gateway when it reloads", async () => {
    const { call, path } = await homeWith([OPUS]);
    const config = parseConfig({ server: { port: 0 }, store: { path } }, {});
    const gateway = await openGateway({ file: config });
    try {
      await call("--forget", "claude");
      expect(gateway.windows()).toEqual([OPUS]);
      gateway.reload({ file: config });
      await expect.poll(() => gateway.windows()).toEqual([]);
    } finally {
      await gateway.close();
    }
  });

  it("shows learned windows in the start banner", async () => {
    const { home } = await homeWith([OPUS]);
    const terminal = makeTerminal(home, { PORT: "0" });
    terminal.stop();
    expect(await run(["start"], terminal)).toBe(0);
    expect(terminal.output()).toContain("Context windows: from the model catalog; learned: claude/opus 180,000\n");
  });

  it("mentions SIGHUP in its help", async () => {
    const { call } = await homeWith();
    const { exit, output } = await call("--help");
    expect([exit, output.replaceAll(/\s+/g, " ")]).toEqual([0, expect.stringContaining("after SIGHUP")]);
  });
});
