import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { POSTGRES_SKIP, sharedPostgres } from "@longhaul/store/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Installed, install, type Started, start } from "./installed.ts";

const packed = inject("packed");
const tarball = join(packed, tarballOf("longhaul"));

const MAX_TARBALL_BYTES = 5_000_000;

it("is small, and needs neither other packages nor install scripts", () => {
  expect(statSync(tarball).size).toBeLessThan(MAX_TARBALL_BYTES);
  const manifest = JSON.parse(readFileSync(join(packed, "stage/longhaul/package.json"), "utf8"));
  expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
});

it("contains the licenses of all bundled packages", () => {
  const notices = readFileSync(join(packed, "stage/longhaul/THIRD-PARTY-NOTICES.txt"), "utf8");
  const named = [...notices.matchAll(/^(\S+) \d\S* \((.+)\)$/gm)];
  expect(named.map(([, name]) => name)).toEqual(expect.arrayContaining(["undici", "zod", "preact", "tiktoken"]));
  expect(named.filter(([, , licence]) => !/^(MIT|ISC|Apache-2\.0|BSD-\d-Clause)$/.test(licence ?? ""))).toEqual([]);
});

describe.each(inject("nodes"))("on %s", (node) => {
  let installed: Installed;
  let gateway: Started;
  beforeAll(async () => {
    installed = install([tarball]);
    gateway = await start(installed, node);
  });
  afterAll(() => installed.remove());

  it("is on the path after npm installs it, and prints its version", () => {
    const program = join(installed.folder, "node_modules", ".bin", "longhaul");
    expect(execFileSync(node, [program, "--version"], { encoding: "utf8" })).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(readdirSync(join(installed.folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "longhaul",
    ]);
  });

  it("opens its store without a warning from Node", () => {
    const program = join(installed.folder, "node_modules", ".bin", "longhaul");
    const args = [program, "keys", "create", "laptop", "--store", join(installed.folder, "keys.db")];
    const { stdout, stderr } = spawnSync(node, args, { encoding: "utf8", env: installed.environment });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^lh_/), ""]);
  });

  it("answers through the simulator", async () => {
    const reply = await send(gateway.url, ["Hello"]);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ role: "assistant", type: "message" });
  });

  it("serves the dashboard and its assets", async () => {
    const page = await fetch(`${gateway.url}/`);
    const html = await page.text();
    const [, script] = /<script[^>]+src="([^"]+)"/.exec(html) ?? [];
    expect(page.status).toBe(200);
    expect((await fetch(`${gateway.url}${script}`)).headers.get("content-type")).toContain("javascript");
  });

  it("condenses long requests on a worker thread", async () => {
    expect((await send(gateway.url, longSession())).headers.get("x-context-compressed")).toBe("true");
  });

  it("stops on a signal, and stores what it has learned in the user's data folder", async () => {
    expect(await gateway.stop()).toBe(0);
    const { HOME = "" } = installed.environment;
    expect(readdirSync(join(HOME, ".local/share/longhaul"))).toContain("longhaul.db");
  });

  it.skipIf(POSTGRES_SKIP)("stores it in PostgreSQL if configured", async () => {
    const postgres = await sharedPostgres();
    const url = await postgres.createDatabase();
    const elsewhere = { ...installed, environment: { ...installed.environment, LONGHAUL_DATABASE_URL: url } };
    const kept = await start(elsewhere, node);
    expect((await fetch(`${kept.url}/readyz`)).status).toBe(200);
    await send(kept.url, ["Hello"]);
    expect(await kept.stop()).toBe(0);
    await postgres.dropDatabase(url);
  });

  it("cannot condense them without the worker's file", async () => {
    const dist = join(installed.folder, "node_modules/longhaul/dist");
    const programs = readdirSync(dist).filter((file) => file.startsWith("workers-worker"));
    expect(programs).not.toEqual([]);
    for (const file of programs) rmSync(join(dist, file));
    const crippled = await start(installed, node);
    expect((await send(crippled.url, longSession("anew"))).headers.get("x-context-compressed")).not.toBe("true");
    await crippled.stop();
  });
});

function tarballOf(name: string): string {
  const found = readdirSync(packed).find((file) => new RegExp(`^${name}-\\d.*\\.tgz$`).test(file));
  return found ?? `${name} was not packed`;
}

function send(url: string, texts: readonly string[]): Promise<Response> {
  const messages = texts.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
  return fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "any", "anthropic-version": "2023-06-01", "content-type": "application/json" },
    body: JSON.stringify({ model: "claude-3-haiku-20240307", max_tokens: 500, messages }),
  });
}

/** More than a window of 200,000 tokens holds. */
function longSession(name = "first"): string[] {
  return Array.from({ length: 101 }, (_, turn) => `Turn ${turn} of the ${name}: ${"many plain words ".repeat(800)}`);
}
