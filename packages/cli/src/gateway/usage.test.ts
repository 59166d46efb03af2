import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type RequestEvent } from "@longhaul/store";
import { makeCondensationEvent, makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { writeEvents } from "../testing/events.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

const store = join(folder, "s.db");
const DAY_MS = 24 * 60 * 60 * 1_000;

beforeAll(async () => {
  await writeEvents(store, [
    makeRequest(0, { id: "a" }),
    makeRequest(0, { id: "b", model: "gpt-4o", costUsd: 4, keyId: "k1", errorCode: "x" }),
    makeRequest(6, { id: "c" }),
    makeRequest(20, { id: "d", keyId: "k1" }),
    makeRequest(40, { id: "e" }),
  ]);
  const opened = await openStore({ path: store, nowMs: Date.now });
  const key = { id: "k1", name: "laptop", hash: "h", hint: "lh_", tenant: "", limits: {}, context: {}, createdAtMs: 1 };
  await opened.keys.create(key);
  await opened.close();
});

/** Makes a request from this many days ago. */
function makeRequest(days: number, fields: Partial<RequestEvent>): RequestEvent {
  return makeRequestEvent({ atMs: Date.now() - days * DAY_MS, keyId: "", costUsd: 1, savedUsd: 0.25, ...fields });
}

async function call(...args: string[]) {
  const terminal = makeTerminal(folder);
  expect([await run(["usage", ...args], terminal), terminal.errors()]).toEqual([0, ""]);
  return terminal.output();
}

describe("usage", () => {
  it("shows today, the last 7 days and the last 30 days", async () => {
    const { periods } = JSON.parse(await call("--store", store, "--json"));
    expect(periods).toEqual([
      expect.objectContaining({ name: "today", requests: 2, costUsd: 5, savedUsd: 0.5, errors: 1 }),
      expect.objectContaining({ name: "week", requests: 3, costUsd: 6, inputTokens: 28_236, cacheReadTokens: 27_000 }),
      expect.objectContaining({ name: "month", requests: 4, costUsd: 7, outputTokens: 1_400 }),
    ]);
  });

  it("groups a period by model, the most expensive first", async () => {
    const output = await call("--store", store);
    expect(output).toMatch(/^ +Requests +Errors +Input tokens +Cached/);
    expect(output).toMatch(/^Last 30 days +4 +1 +37,648 +36,000 +1,400 +0 +\$7\.00 +\$1\.00$/m);
    expect(output).toMatch(/^Last 30 days, by model.*\n(gpt-4o) +1 .*\n(opus) +3 /m);
  });

  it("groups by key, with the keys' names", async () => {
    const { groups } = JSON.parse(await call("--store", store, "--by", "key", "--period", "today", "--json"));
    expect(groups.map(({ name, requests }: { name: string; requests: number }) => [name, requests])).toEqual([
      ["laptop", 1],
      ["(no key)", 1],
    ]);
  });

  it("adds the cost of summaries and subtracts it from the savings", async () => {
    const path = join(folder, "summaries.db");
    const summary = makeCondensationEvent({ atMs: Date.now(), costUsd: 0.125 });
    await writeEvents(path, [makeRequest(0, { savedUsd: 0.5 })], [summary]);
    const { periods } = JSON.parse(await call("--store", path, "--json"));
    expect(periods[0]).toMatchObject({ requests: 1, costUsd: 1.125, savedUsd: 0.375 });
  });

  it("prints that there is no usage", async () => {
    expect(await call()).toMatch(/^No usage yet: there is no database at /);
    expect(JSON.parse(await call("--json"))).toMatchObject({
      periods: [{ name: "today", requests: 0, costUsd: 0 }, { name: "week" }, { name: "month" }],
      groups: [],
    });
    const empty = join(folder, "empty.db");
    await writeEvents(empty, []);
    expect(await call("--store", empty)).toMatch(/^Today +0 /m);
  });

  it("rejects other groups", async () => {
    const terminal = makeTerminal(folder);
    expect(await run(["usage", "--by", "moon"], terminal)).toBe(2);
  });
});
