import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));

describe("dashboard", () => {
  it("prints one-time links that sign in to the running gateway", async () => {
    const home = mkdtempSync(join(root, "h"));
    const running = makeTerminal(home, { PORT: "0" });
    const exit = run(["start"], running);
    const { port } = new URL(await running.announced);
    const printed = [addressIn(running.output())];
    for (const _ of [1, 2]) {
      const terminal = makeTerminal(home, { PORT: port });
      expect(await run(["dashboard"], terminal)).toBe(0);
      printed.push(terminal.output().trim());
    }
    expect(new Set(printed).size).toBe(3);
    for (const address of printed) {
      const { origin, hash } = new URL(address);
      const signIn = () =>
        fetch(`${origin}/api/sign-in`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-longhaul-admin": "1" },
          body: JSON.stringify({ token: hash.replace("#token=", "") }),
        });
      expect([(await signIn()).status, (await signIn()).status]).toEqual([200, 401]);
    }
    running.stop();
    expect(await exit).toBe(0);
  });

  it("uses the admin port", async () => {
    const home = mkdtempSync(join(root, "h"));
    const running = makeTerminal(home);
    writeFileSync(join(home, "longhaul.yaml"), "server: { port: 0, adminPort: 0 }\n");
    const exit = run(["start"], running);
    const url = await running.announced;
    const { port } = new URL(addressIn(running.output()));
    expect(port).not.toBe(new URL(url).port);
    writeFileSync(join(home, "other.yaml"), `server: { port: 0, adminPort: ${port} }\n`);
    const terminal = makeTerminal(home);
    expect(await run(["dashboard", "--config", join(home, "other.yaml")], terminal)).toBe(0);
    expect(new URL(terminal.output()).port).toBe(port);
    running.stop();
    await exit;
  });

  it("creates no database if no gateway is running", async () => {
    const home = mkdtempSync(join(root, "h"));
    expect(await run(["dashboard"], makeTerminal(home, { PORT: "1" }))).toBe(1);
    expect(readdirSync(home, { recursive: true }).filter((name) => String(name).endsWith(".db"))).toEqual([]);
  });

  it("prints no link if the gateway uses another store", async () => {
    const home = mkdtempSync(join(root, "h"));
    const running = makeTerminal(home, { PORT: "0" });
    const exit = run(["start", "--store", ":memory:"], running);
    const url = await running.announced;
    const terminal = makeTerminal(home, { PORT: new URL(url).port });
    expect(await run(["dashboard"], terminal)).toBe(1);
    expect(terminal.errors()).toContain(`the gateway at ${url} uses a different store than ${join(home, ".local")}`);
    expect(terminal.errors()).toContain("choose its store with --store, or use the link that it printed");
    expect(terminal.output()).toBe("");
    running.stop();
    await exit;
  });

  it.each([
    [["--port", "1"], "no gateway is running at http://127.0.0.1:1; start it"],
    [["--store", ":memory:"], "a gateway with an in-memory store"],
  ])("suggests a remedy for %j", async (args, why) => {
    const terminal = makeTerminal(mkdtempSync(join(root, "h")));
    expect(await run(["dashboard", ...args], terminal)).toBe(1);
    expect(terminal.errors()).toContain(why);
    expect(terminal.output()).toBe("");
  });
});

function addressIn(output: string): string {
  return /http:\S+#token=\S+/.exec(output)?.[0] ?? "";
}
