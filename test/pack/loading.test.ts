import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { start } from "./installed.ts";

// The start time is measured by `npm run bench:start`. These tests check its main cause: modules that are loaded before they are needed.

const program = join(inject("packed"), "stage/longhaul/dist/longhaul.js");
const folder = mkdtempSync(join(tmpdir(), "longhaul-loading-"));
afterAll(() => rmSync(folder, { recursive: true }));

const RECORD_LOADED = fileURLToPath(new URL("record-loaded.mjs", import.meta.url));
const LOADED_FILE = join(folder, "loaded.json");
const environment = { HOME: folder, LOADED_FILE, NODE_OPTIONS: `--import ${RECORD_LOADED}` };

/** Optional parts, by text that occurs in their code. */
const PARTS = {
  "the HTTP client": "EnvHttpProxyAgent = class",
  "the admin API": 'basePath("/api")',
  "PostgreSQL's driver": "SCRAM-SHA-256",
  "a vocabulary": "! 0 IQ== Ig==",
  "the gateway": "LiveSettings = class",
  "the simulator": "async function openSimulator(",
  "the readers of logs": "function readLog(",
};

/** Node's built-in HTTP client, which is created on the first access to `fetch`, `Response` and the like. */
const NODES_CLIENT = "NativeModule internal/deps/undici/undici";

/** The modules that a program had loaded when it ended. */
interface Loaded {
  readonly parts: readonly string[];
  readonly bytes: number;
  readonly hasNodesClient: boolean;
}

function readLoaded(): Loaded {
  const { files, builtins }: Readonly<Record<"files" | "builtins", string[]>> = JSON.parse(
    readFileSync(LOADED_FILE, "utf8"),
  );
  const texts = files
    .filter((url) => !url.endsWith("record-loaded.mjs"))
    .map((url) => readFileSync(new URL(url), "utf8"));
  return {
    parts: partsIn(texts),
    bytes: texts.reduce((sum, { length }) => sum + length, 0),
    hasNodesClient: builtins.includes(NODES_CLIENT),
  };
}

function partsIn(texts: readonly string[]): string[] {
  const found = Object.entries(PARTS).filter(([, words]) => texts.some((text) => text.includes(words)));
  return found.map(([part]) => part);
}

function run(...args: string[]): Loaded {
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    env: environment,
    input: "{}",
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return readLoaded();
}

it("finds every part by its text", () => {
  const dist = join(program, "..");
  const texts = readdirSync(dist).map((name) => (name.endsWith(".js") ? readFileSync(join(dist, name), "utf8") : ""));
  expect(partsIn(texts)).toEqual(Object.keys(PARTS));
});

describe("a start", () => {
  let idle: Loaded;
  let withAdmin: Loaded;
  beforeAll(async () => {
    idle = await loadedBy(async () => {});
    withAdmin = await loadedBy(async (url) => void (await fetch(`${url}/api/settings`)));
  });

  async function loadedBy(ask: (url: string) => Promise<void>): Promise<Loaded> {
    const gateway = await start({ program, folder: folder, environment }, process.execPath);
    await ask(gateway.url);
    expect(await gateway.stop()).toBe(0);
    return readLoaded();
  }

  it("loads only what serves requests, and nothing that can load with the first of a kind", () => {
    expect(idle.parts).toEqual(["the gateway", "the simulator"]);
    expect(idle.hasNodesClient).toBe(false);
    expect(idle.bytes).toBeLessThan(3_100_000);
  });

  it("loads the admin API on its first request", () => {
    expect(withAdmin.parts).toContain("the admin API");
    expect(withAdmin.hasNodesClient).toBe(true);
  });
});

it.each([["version"], ["--help"]])("%s loads no gateway", (command) => {
  const { parts, bytes } = run(command);
  expect(parts).toEqual([]);
  expect(bytes).toBeLessThan(800_000);
});

it("statusline, which runs every few seconds, loads no gateway", () => {
  const { parts, bytes, hasNodesClient } = run("statusline");
  expect([parts, hasNodesClient]).toEqual([[], false]);
  expect(bytes).toBeLessThan(1_500_000);
});
