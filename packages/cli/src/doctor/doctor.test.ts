import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  it("finds nothing wrong where nothing is", async () => {
    const { exit, output } = await call([]);
    expect(exit).toBe(0);
    expect(output).toMatch(
      /✓ Node: version .*✓ configuration: the environment\n.*• upstream simulator: .*\n {4}→ set ANTHROPIC/s,
    );
    expect(output).toMatch(/Nothing is wrong\.\n$/);
  });

  it("names every fault of a configuration, and fails", async () => {
    const file = join(folder, "bad.yaml");
    writeFileSync(file, "servers: {}\nupstreams: { o: { kind: openai, apiKey: '${MISSING}' } }\n");
    const { exit, output, errors } = await call(["--config", file]);
    expect([exit, errors]).toEqual([1, "longhaul: one thing is wrong; see above (settings.invalid)\n"]);
    expect(output).toMatch(/✗ configuration: .*MISSING.*→ correct what is named/s);
  });

  it("says that nothing is made to fit where that is so", async () => {
    expect((await call([], { DISABLE_CONTEXT_COMPRESSION: "true" })).output).toContain("• context: DISABLE_CONTEXT");
    const file = join(folder, "off.yaml");
    writeFileSync(file, "upstreams: { s: { kind: simulator } }\ncontext: { mode: observe }\n");
    expect((await call(["--config", file])).output).toContain("• context: context.mode is observe");
  });

  it("prints one object for programs", async () => {
    const { output } = await call(["--json", "--offline"], { OPENAI_API_KEY: "hush-hush" });
    const { findings } = JSON.parse(output);
    expect(findings).toContainEqual({ what: "upstream openai", state: "good", says: "it has a key; it was not asked" });
    expect(output).not.toContain("hush");
  });
});
