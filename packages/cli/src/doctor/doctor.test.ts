import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSimulator } from "@longhaul/simulator";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function call(args: readonly string[], environment: Record<string, string> = {}) {
  const terminal = makeTerminal(folder, environment);
  const exit = await run(["doctor", "--port", "0", ...args], terminal);
  return { exit, output: terminal.output(), errors: terminal.errors() };
}

describe("doctor", () => {
  it("passes for a working setup", async () => {
    const { exit, output } = await call([]);
    expect(exit).toBe(0);
    expect(output).toMatch(
      /✓ Node: version .*✓ configuration: no file; environment variables and defaults\n.*• upstreams: requests that carry their own Anthropic, OpenAI or Gemini key or login go to that vendor; the built-in simulator answers all others\n• clients: /s,
    );
    const moved = await call([], { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" });
    expect(moved.output).toContain("answers all others; ANTHROPIC_BASE_URL sets the address of anthropic\n");
    expect(output).toMatch(
      /• clients: none is connected through its settings\n {4}→ connect those on this machine with `longhaul setup`/,
    );
    expect(output).toMatch(/No check failed, but no gateway is running\. Start it with `longhaul start`\.\n$/);
  });

  it("fails and names every fault of a configuration", async () => {
    const file = join(folder, "bad.yaml");
    writeFileSync(file, "servers: {}\nupstreams: { o: { kind: openai, apiKey: '${MISSING}' } }\n");
    const { exit, output, errors } = await call(["--config", file]);
    expect([exit, errors]).toEqual([1, "longhaul: 1 check failed; see above\n"]);
    expect(output).toMatch(/✗ configuration: .*MISSING.*→ fix the configuration/s);
  });

  it("notes that nothing is condensed if the configuration says so", async () => {
    expect((await call([], { DISABLE_CONTEXT_COMPRESSION: "true" })).output).toContain("• context: DISABLE_CONTEXT");
    const file = join(folder, "off.yaml");
    writeFileSync(file, "upstreams: { s: { kind: simulator } }\ncontext: { mode: observe }\n");
    expect((await call(["--config", file])).output).toContain("• context: context.mode is observe");
  });

  it("prints JSON", async () => {
    const { output } = await call(["--json", "--offline"], { OPENAI_API_KEY: "hush-hush" });
    const { findings } = JSON.parse(output);
    expect(findings).toContainEqual({ what: "upstream openai", state: "good", message: "has an API key (not tested)" });
    expect(output).not.toContain("hush");
  });

  it("asks the running gateway, which may listen on another port and have other variables", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const vendor = await openSimulator({ keys: ["key-of-the-gateway"] });
    const running = makeTerminal(home, {
      PORT: "0",
      OPENAI_API_KEY: "key-of-the-gateway",
      OPENAI_BASE_URL: `${vendor.url}/v1`,
    });
    const exit = run(["start"], running);
    const url = await running.announced;
    const terminal = makeTerminal(home, { PORT: "4199" });
    expect(await run(["doctor"], terminal)).toBe(0);
    expect(terminal.output()).toContain(`✓ gateway: running at ${url}\n`);
    expect(terminal.output()).toMatch(/✓ upstream openai: answers, \d+ models/);
    expect(terminal.output()).not.toContain("simulator");
    expect(terminal.output()).toMatch(/All checks passed\.\n$/);
    running.stop();
    await exit;
    await vendor.close();
    const after = makeTerminal(home, { PORT: "4199" });
    expect(await run(["doctor", "--offline"], after)).toBe(0);
    expect(after.output()).toContain("No check failed, but no gateway is running.");
  });

  it("does not test upstreams of a running gateway for which only clients have a key", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const running = makeTerminal(home, { PORT: "0", OPENAI_API_KEY: "key-of-the-gateway" });
    const exit = run(["start"], running);
    await running.announced;
    const terminal = makeTerminal(home, { PORT: "4199" });
    expect(await run(["doctor", "--offline"], terminal)).toBe(0);
    for (const id of ["anthropic", "gemini"])
      expect(terminal.output()).toContain(
        `✓ upstream ${id}: gets requests that carry a key or login for it (not tested)`,
      );
    running.stop();
    await exit;
  });

  it("says that a running gateway uses another store", async () => {
    const home = mkdtempSync(join(folder, "h"));
    const running = makeTerminal(home, { PORT: "0" });
    const exit = run(["start", "--store", ":memory:"], running);
    const { port } = new URL(await running.announced);
    const terminal = makeTerminal(home, { PORT: port });
    expect(await run(["doctor", "--offline"], terminal)).toBe(0);
    expect(terminal.output()).toMatch(
      /• gateway: the one at http:\S+ uses another store\n {4}→ choose its store with --store/,
    );
    running.stop();
    await exit;
  });
});
