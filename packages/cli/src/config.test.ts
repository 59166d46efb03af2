import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "./program.ts";
import { makeTerminal } from "./testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("config check", () => {
  it("says what a file comes to", async () => {
    const file = join(folder, "good.yaml");
    writeFileSync(
      file,
      "upstreams: { o: { kind: openai, apiKey: hush-hush } }\nroutes: [{ match: '*', upstream: o }]\n",
    );
    const terminal = makeTerminal(folder);
    expect(await run(["config", "check", file], terminal)).toBe(0);
    const [configured, upstreams, routes, ...rest] = terminal.output().split("\n");
    expect([configured, upstreams, routes]).toEqual([
      `Configured by ${file}.`,
      "Upstreams: o (openai)",
      "Routes: * → o",
    ]);
    expect(rest.slice(-3)).toEqual([
      `Store: ${join(folder, ".local", "share", "longhaul", "longhaul.db")}`,
      "Nothing is wrong with it.",
      "",
    ]);
  });

  it("says how a file of an earlier version is read", async () => {
    const file = join(folder, "old.yaml");
    writeFileSync(file, "context: { strategy: sandwich, config: { preserveTop: 3 } }\n");
    const terminal = makeTerminal(folder);
    expect(await run(["config", "check", file], terminal)).toBe(0);
    expect(terminal.output()).toContain(
      "Note: the file is of version 1: context.config is read as context.strategies.sandwich.\nNothing is wrong",
    );
  });

  it("looks where start looks", async () => {
    const terminal = makeTerminal(folder);
    expect(await run(["config", "check"], terminal)).toBe(0);
    expect(terminal.output()).toContain("Configured by the environment.");
  });

  it.each([
    [
      "upstreams: { l: { kind: openai-compatible }, a: { kind: bedrock } }\n",
      /4 faults:\n {2}- upstreams\.l\.baseUrl.*region/s,
    ],
    ["upstreams: { o: { kind: openai, wire: gemini } }\n", /upstreams\.o\.wire/],
    ["servers: {}\n", /1 fault:\n {2}- servers: there is no such setting/],
  ])("names every fault of %j and fails", async (text, faults) => {
    const file = join(folder, "bad.yaml");
    writeFileSync(file, text);
    const terminal = makeTerminal(folder);
    expect(await run(["config", "check", file], terminal)).toBe(1);
    expect(terminal.errors()).toMatch(faults);
  });
});

it("config schema prints the schema that is shipped", async () => {
  const terminal = makeTerminal(folder);
  expect(await run(["config", "schema"], terminal)).toBe(0);
  const shipped = new URL("../../settings/longhaul.schema.json", import.meta.url);
  expect(terminal.output()).toBe(readFileSync(shipped, "utf8"));
});
