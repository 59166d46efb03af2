import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("config check", () => {
  it("summarizes a valid file", async () => {
    const file = join(folder, "good.yaml");
    writeFileSync(
      file,
      "upstreams: { o: { kind: openai, apiKey: hush-hush } }\nroutes: [{ match: '*', upstream: o }]\n",
    );
    const terminal = makeTerminal(folder);
    expect(await run(["config", "check", file], terminal)).toBe(0);
    const [configured, upstreams, payers, routes, ...rest] = terminal.output().split("\n");
    expect([configured, upstreams, payers, routes]).toEqual([
      `Configuration: ${file}`,
      "Upstreams: o (openai)",
      "Paid with: upstreams.o.apiKey for o; a client's own key or login is not used there",
      "Routes: * → o",
    ]);
    expect(rest.slice(-3)).toEqual([
      `Store: ${join(folder, ".local", "share", "longhaul", "longhaul.db")}`,
      "The configuration is valid.",
      "",
    ]);
  });

  it("explains how it reads a file of an earlier version", async () => {
    const file = join(folder, "old.yaml");
    writeFileSync(file, "context: { strategy: sandwich, config: { preserveTop: 3 } }\n");
    const terminal = makeTerminal(folder);
    expect(await run(["config", "check", file], terminal)).toBe(0);
    expect(terminal.output()).toContain(
      "Note: the configuration file has version 1: context.config was read as context.strategies.sandwich.\nThe configuration is valid.",
    );
  });

  it("says in its help where the configuration is", async () => {
    const terminal = makeTerminal(folder);
    expect(await run(["config", "--help"], terminal)).toBe(0);
    expect(terminal.output()).toContain("~/.config/longhaul/longhaul.yaml");
  });

  it("checks the configuration that start uses", async () => {
    const terminal = makeTerminal(folder);
    expect(await run(["config", "check"], terminal)).toBe(0);
    expect(terminal.output()).toContain("Configuration: no file; environment variables and defaults");
  });

  it.each([
    [
      "upstreams: { l: { kind: openai-compatible }, a: { kind: bedrock } }\n",
      /4 errors:\n {2}- upstreams\.l\.baseUrl.*region/s,
    ],
    ["upstreams: { o: { kind: openai, wire: gemini } }\n", /upstreams\.o\.wire/],
    ["servers: {}\n", /1 error:\n {2}- servers: unknown setting/],
  ])("fails and names every fault of %j", async (text, faults) => {
    const file = join(folder, "bad.yaml");
    writeFileSync(file, text);
    const terminal = makeTerminal(folder);
    expect(await run(["config", "check", file], terminal)).toBe(1);
    expect(terminal.errors()).toMatch(faults);
  });
});

it("config schema prints the published JSON Schema", async () => {
  const terminal = makeTerminal(folder);
  expect(await run(["config", "schema"], terminal)).toBe(0);
  const shipped = new URL("../../../settings/longhaul.schema.json", import.meta.url);
  expect(terminal.output()).toBe(readFileSync(shipped, "utf8"));
});

describe("config show", () => {
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

  it("prints every value with its source, and no secrets", async () => {
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
        "routes: (file)",
        '  - { match: "*", upstream: "o" }',
      ]),
    );
    expect(lines.join()).not.toContain("hush");
  });

  it("prints one section", async () => {
    const { lines } = await show("log");
    expect(lines).toEqual(["log.tokens: false (default)", 'log.level: "warn" (environment)']);
  });

  it("explains one setting", async () => {
    expect((await show("server.port")).lines).toEqual([
      "server.port: 4141 (default)",
      "Port to listen on; 0 chooses a free one.",
      "Default: 4141.",
      "Environment variable: PORT.",
      "Changes take effect after a restart.",
    ]);
    expect((await show("store.path")).lines.at(-1)).toBe(
      "Cannot be changed in the dashboard or through the admin API.",
    );
  });

  it("includes stored settings, and notes those that are ignored", async () => {
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
    expect(lines.at(-1)).toMatch(/^Note: the stored setting context\.summarizer is ignored: /);
  });

  it.each(["context.colour", "nothing"])("rejects the unknown setting %s", async (path) => {
    const { code, errors } = await show(path);
    expect([code, errors]).toEqual([
      1,
      `longhaul: unknown setting "${path}"; list all with \`longhaul config show\`\n`,
    ]);
  });
});
