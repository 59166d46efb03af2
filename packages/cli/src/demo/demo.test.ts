import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("demo", () => {
  it("prints every turn of a session that outgrows its window several times", async () => {
    const store = join(folder, "kept.db");
    const terminal = makeTerminal(folder);
    const args = ["demo", "--fast", "--turns", "30", "--window", "12k", "--strategy", "middle-out", "--store", store];
    expect(await run(args, terminal)).toBe(0);
    const lines = terminal.output().split("\n");
    expect(lines.filter((line) => /^ *\d+ {2}.*[│›] +\d+%/.test(line))).toHaveLength(30);
    expect(lines.filter((line) => line.includes("condensed with middle-out")).length).toBeGreaterThan(2);
    expect(lines.filter((line) => line.includes("reused, -")).length).toBeGreaterThan(5);
    expect(lines.filter((line) => /[│›] +1\d\d%/.test(line))).toEqual([]);
    const received = lines.flatMap((line) => /^ *\d+ {2}.{34} +([\d,]+)/.exec(line)?.[1]?.replaceAll(",", "") ?? []);
    expect(received.map(Number)).toEqual(received.map(Number).toSorted((a, b) => a - b));
    expect(terminal.output()).toMatch(/Dashboard: http:\/\/127\.0\.0\.1:\d+\/#token=/);
    expect(terminal.output()).toMatch(/30 turns, all answered\..*Cost at list prices: \$\d/s);
    const kept = await openStore({ path: store, nowMs: Date.now });
    const [session] = await kept.events.sessions({ limit: 1 });
    await kept.close();
    expect(session).toMatchObject({ requests: 30, errors: 0, windowTokens: 12_000 });
    expect(session?.session).toMatch(/^demo-\d+$/);
  });

  it("marks where the session would have ended, and costs less than in an unlimited window", async () => {
    const terminal = makeTerminal(folder);
    expect(await run(["demo", "--fast", "--turns", "90", "--window", "100k"], terminal)).toBe(0);
    const output = terminal.output();
    expect(output).toContain("Strategy: smart, the gateway's default.");
    const [, size = ""] = /── Without Longhaul, the session ends here: ([\d,]+) of 100,000 tokens/.exec(output) ?? [];
    expect(Number(size.replaceAll(",", ""))).toBeGreaterThan(100_000);
    expect(output).toMatch(/Without Longhaul, the session would have ended at turn \d+ of 90\./);
    expect(output).toMatch(/Use it with your own clients: `longhaul setup`\n$/);
    expect(output).toMatch(/Cost at list prices: \$[\d.]+ \(-\d+\.\d%\); without condensing, in an unlimited window/);
  });

  it("ends early when it is stopped, and leaves no files", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const terminal = makeTerminal(home);
    const exit = run(["demo", "--turns", "1000"], terminal);
    const url = await terminal.announced;
    terminal.stop();
    expect(await exit).toBe(0);
    expect(terminal.output()).toMatch(/\n\d+ turns?, all answered/);
    expect(existsSync(join(home, ".local"))).toBe(false);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("keeps running after the last turn with --stay until it is stopped", async () => {
    const terminal = makeTerminal(folder);
    const exit = run(["demo", "--fast", "--turns", "2", "--stay"], terminal);
    const url = await terminal.announced;
    await expect
      .poll(() => terminal.output())
      .toMatch(/The dashboard keeps running until you press Ctrl-C: \S+#token=/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    terminal.stop();
    expect(await exit).toBe(0);
  });

  it.each([
    [["--turns", "none"], "Expected a whole number, 1 or more."],
    [["--strategy", "magic"], "Choose from"],
  ])("rejects %j", async (args, why) => {
    const terminal = makeTerminal(folder);
    expect(await run(["demo", ...args], terminal)).toBe(2);
    expect(terminal.errors()).toContain(why);
  });
});
