import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./program.ts";
import { makeTerminal } from "./testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const config = join(folder, "given.yaml");
writeFileSync(
  config,
  [
    "upstreams: { o: { kind: openai, apiKey: hush-hush, baseUrl: 'https://hush:hush@host/v1' } }",
    "routes: [{ match: '*', upstream: o }]",
    "context: { strategy: lossless, threshold: 80 }",
  ].join("\n"),
);

async function show(...args: string[]) {
  const terminal = makeTerminal(folder, { LOG_LEVEL: "warn" });
  const code = await run(["config", "show", ...args, "--config", config], terminal);
  return { code, lines: terminal.output().trim().split("\n"), errors: terminal.errors() };
}

describe("config show", () => {
  it("tells every value with its origin, and no secrets", async () => {
    const { code, lines } = await show();
    expect(code).toBe(0);
    expect(lines).toEqual(
      expect.arrayContaining([
        "server.port: 4141 (default)",
        'log.level: "warn" (environment)',
        'context.strategy: "lossless" (file)',
        "context.prompt: (not set)",
        "upstreams.o.apiKey: (set) (file)",
        'upstreams.o.baseUrl: "https://host/v1" (file)',
        'routes: [{"match":"*","upstream":"o"}] (file)',
      ]),
    );
    expect(lines.join()).not.toContain("hush");
  });

  it("tells of one section", async () => {
    const { lines } = await show("log");
    expect(lines).toEqual(["log.tokens: false (default)", 'log.level: "warn" (environment)']);
  });

  it("explains one setting", async () => {
    expect((await show("server.port")).lines).toEqual([
      "server.port: 4141 (default)",
      "Port to listen on; 0 takes any free one.",
      "Default: 4141.",
      "Set by the variable PORT, too.",
      "A change takes effect after a restart.",
    ]);
    expect((await show("store.path")).lines.at(-1)).toBe("It cannot be changed while the gateway runs.");
  });

  it("tells what is stored, and what of it is left out", async () => {
    const path = join(folder, "kept.db");
    const store = await openStore({ path, nowMs: Date.now });
    const entries = [
      { path: "context.threshold", value: 60 },
      { path: "context.summarizer", value: "nobody" },
    ];
    await store.settings.change({ entries, by: "anna", atMs: 1 });
    await store.close();
    const { lines } = await show("context.threshold", "--store", path);
    expect(lines[0]).toBe("context.threshold: 60 (stored)");
    expect(lines.at(-1)).toMatch(/^Note: the stored setting context\.summarizer is left out: /);
  });

  it.each(["context.colour", "nothing"])("does not know %s", async (path) => {
    const { code, errors } = await show(path);
    expect([code, errors]).toEqual([
      1,
      `longhaul: there is no setting "${path}"; config show lists those there are (settings.invalid)\n`,
    ]);
  });
});
