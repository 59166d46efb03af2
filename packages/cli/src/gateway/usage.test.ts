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
  const key = {
    id: "k1",
    name: "laptop",
    hash: "h",
    hint: "lh_",
    tenant: "",
    models: [],
    limits: {},
    context: {},
    createdAtMs: 1,
  };
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
      expect.objectContaining({
        name: "week",
        requests: 3,
        costUsd: 6,
        inputTokens: 36,
        cacheWriteTokens: 1_200,
        cacheReadTokens: 27_000,
      }),
      expect.objectContaining({ name: "month", requests: 4, costUsd: 7, outputTokens: 1_400 }),
    ]);
  });

  it("groups a period by model, the most expensive first", async () => {
    const output = await call("--store", store);
    expect(output).toMatch(/^ +Requests +Errors +Input +Cache write +Cache read +Output +Cost +Net savings$/m);
    expect(output).toMatch(/^Last 30 days +4 +1 +48 +1,600 +36,000 +1,400 +\$7\.00 +\$1\.00$/m);
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

  it("says that the prompt cache cost more if it was only written", async () => {
    const path = join(folder, "written.db");
    await writeEvents(path, [makeRequest(0, { cachedUsd: -0.25 })], []);
    expect(await call("--store", path)).toContain("The prompt cache cost $0.2500 more than uncached prices: more was");
  });

  it("attributes the savings to mechanisms, which add up to the net savings", async () => {
    const path = join(folder, "mechanisms.db");
    const summary = makeCondensationEvent({ atMs: Date.now(), costUsd: 0.125 });
    const deduplicated = { id: "d", savedUsd: 0.25, deduplicatedUsd: 0.25, cachedUsd: 2 };
    await writeEvents(path, [makeRequest(0, deduplicated), makeRequest(0, { id: "c", savedUsd: 0.5 })], [summary]);
    expect(await call("--store", path)).toContain(
      "Net savings: deduplication $0.2500, condensing $0.5000, summaries -$0.1250.\nThe prompt cache saved another $2.00, compared with uncached prices.\n",
    );
    const { total } = JSON.parse(await call("--store", path, "--json"));
    expect(total).toMatchObject({ deduplicatedUsd: 0.25, condensedUsd: 0.5, condensingUsd: 0.125, savedUsd: 0.625 });
  });

  it("fits the width of the terminal", async () => {
    const terminal = { ...makeTerminal(folder), columns: 80 };
    expect(await run(["usage", "--store", store], terminal)).toBe(0);
    for (const text of terminal
      .output()
      .split("\n")
      .filter((text) => !text.startsWith("Columns"))) {
      expect(text.length).toBeLessThanOrEqual(80);
    }
  });

  const at = (time: string) => Date.parse(`2026-11-${time}Z`);

  describe("by time", () => {
    const path = join(folder, "times.db");
    const events = [
      makeRequestEvent({ id: "1", atMs: at("01T10:00"), session: "s1", costUsd: 0.1 }),
      makeRequestEvent({ id: "2", atMs: at("01T23:59"), session: "s2", costUsd: 0.2 }),
      makeRequestEvent({ id: "3", atMs: at("02T00:00"), session: "s1", costUsd: 0.3 }),
      makeRequestEvent({ id: "4", atMs: at("09T12:00"), session: "=s3", costUsd: 1.01 }),
    ];
    const summary = makeCondensationEvent({ id: "5", atMs: at("02T08:00"), session: "s1", costUsd: 0.07 });
    beforeAll(() => writeEvents(path, events, [summary]));

    const groupsBy = async (by: string, ...args: string[]) => {
      const { groups, total } = JSON.parse(
        await call("--store", path, "--by", by, "--json", "--since", "2026-11-01", ...args),
      );
      return { groups: groups.map(({ name, costUsd }: UsageName) => [name, Math.round(costUsd * 100) / 100]), total };
    };
    type UsageName = { readonly name: string; readonly costUsd: number };

    it.each([
      [
        "day",
        [
          ["2026-11-01", 0.3],
          ["2026-11-02", 0.37],
          ["2026-11-09", 1.01],
        ],
      ],
      [
        "week",
        [
          ["2026-10-26", 0.3],
          ["2026-11-02", 0.37],
          ["2026-11-09", 1.01],
        ],
      ],
      ["month", [["2026-11", 1.68]]],
      [
        "session",
        [
          ["=s3", 1.01],
          ["s1", 0.47],
          ["s2", 0.2],
        ],
      ],
    ])("sums up the events by %s", async (by, rows) => {
      const { groups, total } = await groupsBy(by, "--until", "20261130");
      expect(groups).toEqual(rows);
      expect(total.costUsd).toBeCloseTo(
        [...events, summary].reduce((sum, { costUsd }) => sum + costUsd, 0),
        9,
      );
    });

    it("groups sessions by project and client, and adds their titles", async () => {
      const described = join(folder, "described.db");
      const known = { tenant: "tenant", branch: "", clientVersion: "" };
      await writeEvents(
        described,
        events,
        [summary],
        [
          { ...known, session: "s1", title: "Fix the login", project: "/srv/shop", client: "Codex" },
          { ...known, session: "s2", title: "", project: "/srv/shop", client: "" },
        ],
      );
      const rows = async (by: string) => {
        const { groups } = JSON.parse(await call("--store", described, "--by", by, "--json", "--since", "2026-11-01"));
        return groups.map(({ name, requests }: { name: string; requests: number }) => [name, requests]);
      };
      expect(await rows("project")).toEqual([
        ["(no project)", 1],
        ["/srv/shop", 3],
      ]);
      expect(await rows("client")).toEqual([
        ["(no client)", 2],
        ["Codex", 2],
      ]);
      expect(await rows("session")).toEqual([
        ["=s3", 1],
        ["Fix the login (s1)", 2],
        ["s2", 1],
      ]);
    });

    it("includes the last day and excludes later ones", async () => {
      expect((await groupsBy("day", "--until", "2026-11-02")).groups).toHaveLength(2);
    });

    it("prints CSV that no spreadsheet runs", async () => {
      const lines = (await call("--store", path, "--by", "session", "--since", "2026-11-09", "--csv")).split("\r\n");
      expect(lines[0]).toBe(
        "name,requests,errors,inputTokens,cacheWriteTokens,cacheReadTokens,outputTokens,savedTokens,costUsd,savedUsd",
      );
      expect(lines[1]).toMatch(/^'=s3,1,0,12,400,9000,350,0,1\.01,/);
    });

    it("rejects a date that does not exist", async () => {
      const terminal = makeTerminal(folder);
      expect(await run(["usage", "--since", "2026-02-30"], terminal)).toBe(2);
    });
  });

  it("prints that there is no usage", async () => {
    expect(await call()).toMatch(/^No usage yet: the database .* does not exist\./);
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
