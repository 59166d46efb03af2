import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprint } from "@longhaul/conversation/advanced";
import { makeAssistant, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { sha256 } from "@longhaul/fit";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RowAnswer } from "../api/previews.ts";
import { findExample } from "../previews/examples/examples.ts";
import { ADMIN_TOKEN, type AdminServer, openAdminServer } from "../testing/admin-server.ts";
import { pinsOf } from "./preview-routes.ts";

const home = mkdtempSync(join(tmpdir(), "longhaul-"));
const project = join(home, ".claude/projects/shop");
mkdirSync(project, { recursive: true });
const user = { type: "user", uuid: "1", sessionId: "s", message: { role: "user", content: "Fix the tax." } };
const reply = {
  type: "assistant",
  uuid: "2",
  parentUuid: "1",
  sessionId: "s",
  message: { id: "m", role: "assistant", model: "claude-sonnet-4-5", content: [{ type: "text", text: "Done." }] },
};
writeFileSync(join(project, "s.jsonl"), [user, reply].map((line) => `${JSON.stringify(line)}\n`).join(""));
writeFileSync(join(home, "secret.jsonl"), "{}\n");

const BUG_HUNT = { conversation: { example: "bug-hunt" } };

let simulator: Simulator;
let opened: AdminServer;
beforeAll(async () => {
  simulator = await openSimulator();
  const up = { kind: "simulator", apiKey: "k" };
  opened = await openAdminServer(
    {
      store: { path: ":memory:" },
      upstreams: { up },
      routes: [{ match: "*", upstream: "up" }],
      profiles: {
        cheap: { upstream: "up", model: "gpt-4o-mini" },
        expensive: { upstream: "up", model: "claude-opus-4-1" },
        tight: { context: { strategy: "truncation", threshold: 40 } },
      },
    },
    { simulatorUrl: simulator.url, home },
  );
});
afterAll(async () => {
  rmSync(home, { recursive: true });
  await opened.close();
  await simulator.close();
});

async function post(path: string, body: object) {
  const { status, body: answer } = await opened.ask("POST", path, body);
  return { status, ...answer };
}

describe("POST /preview", () => {
  it("shows the effect of a strategy, pass by pass and block by block", async () => {
    const shown = await post("/preview", { ...BUG_HUNT, strategy: "lossless" });
    expect(shown).toMatchObject({
      status: 200,
      format: "anthropic-messages",
      model: "claude-sonnet-4-5",
      upstream: "up",
      messages: 48,
      messagesAfter: 48,
      strategy: "lossless",
      fits: true,
      limits: { isAssumed: true },
      summaries: { asks: 0, estimatedUsd: 0, spentUsd: 0 },
    });
    expect(shown.tokensAfter).toBeLessThan(shown.tokensBefore / 2);
    expect(shown.savedPerCallUsd).toBeGreaterThan(0);
    expect(shown.passes.map(({ outcome }: { outcome: string }) => outcome)).toContain("applied");
    expect(shown.rows).toHaveLength(shown.rowCount);
    const repeated = shown.rows.find(({ fate }: RowAnswer) => fate === "referenced");
    expect(repeated).toMatchObject({
      kind: "result",
      role: "user",
      why: expect.stringContaining("Identical to earlier lines"),
    });
    expect(repeated.after).toContain("[same ");
    expect(repeated.before).toContain("import { roundCents, sum }");
    expect(repeated.pass).toBeTypeOf("string");
  });

  it("shows which summary replaces removed parts, and the facts it must keep", async () => {
    const shown = await post("/preview", { ...BUG_HUNT, strategy: "native", limit: 2_000 });
    const summary = shown.rows.find(({ kind }: RowAnswer) => kind === "summary");
    expect(summary).toMatchObject({ fate: "added", message: -1, tokensBefore: 0 });
    const summarised = shown.rows.filter(({ fate }: RowAnswer) => fate === "summarised");
    expect(summarised.length).toBeGreaterThan(30);
    for (const { replacedBy, after, tokensAfter } of summarised) {
      expect([replacedBy, after, tokensAfter]).toEqual([summary.at, undefined, 0]);
    }
    expect(shown.facts.found).toBeGreaterThan(0);
    expect(shown.summaries).toMatchObject({ asks: 1, writer: "claude-sonnet-4-5", spentUsd: 0 });
    expect(shown.summaries.estimatedUsd).toBeGreaterThan(0);
  });

  it("returns pages of rows, and one row in full", async () => {
    const long = "a long line that goes on and on\n".repeat(1_000);
    const messages = [
      { role: "user", content: long },
      { role: "assistant", content: "Fine." },
      { role: "user", content: "Go on." },
    ];
    const conversation = { text: JSON.stringify({ model: "gpt-4o", messages }) };
    const page = { conversation, strategy: "full-history", from: 1, limit: 1 };
    expect(await post("/preview", page)).toMatchObject({
      rowCount: 3,
      rows: [{ at: 1, before: "Fine.", isCut: false }],
    });
    const first = await post("/preview", { ...page, from: 0 });
    expect(first.rows).toMatchObject([{ at: 0, fate: "kept", isCut: true, before: long.slice(0, 4_000) }]);
    expect(first.rows[0]).not.toHaveProperty("after");
    const whole = await post("/preview", { ...page, row: 0 });
    expect(whole.rows).toMatchObject([{ at: 0, isCut: false, before: long }]);
  });

  it.each([
    [{ windowTokens: 10_000 }, { windowTokens: 10_000, isAssumed: false }],
    [{ budgetTokens: 9_000 }, { windowTokens: 9_000, budgetTokens: 9_000, targetTokens: 9_000, isAssumed: false }],
  ])("applies %j", async (body, limits) => {
    const shown = await post("/preview", { ...BUG_HUNT, strategy: "middle-out", ...body });
    expect(shown).toMatchObject({ fits: true, limits });
    expect(shown.tokensAfter).toBeLessThanOrEqual(shown.limits.budgetTokens);
  });

  it("uses the settings of a profile, or a preset", async () => {
    expect(await post("/preview", { ...BUG_HUNT, profile: "tight" })).toMatchObject({ strategy: "truncation" });
    const { presets } = (await opened.ask("GET", "/presets")).body;
    const shown = await post("/preview", { ...BUG_HUNT, preset: presets[0].name });
    expect(shown).toMatchObject({ status: 200, strategy: presets[0].strategy });
  });

  it("calls the summarizer on request, and once for all pages", async () => {
    const body = { ...BUG_HUNT, strategy: "native", summarizer: "cheap", asksModels: true, limit: 1 };
    const shown = await post("/preview", body);
    expect(shown).toMatchObject({ status: 200, summaries: { asks: 1, writer: "cheap (gpt-4o-mini)" } });
    expect(shown.summaries.spentUsd).toBeGreaterThan(0);
    const asked = simulator.requests().length;
    const further = await post("/preview", { ...body, from: 3 });
    expect(further).toMatchObject({ rows: [{ at: 3 }], tokensAfter: shown.tokensAfter });
    expect(simulator.requests().length).toBe(asked);
    expect(await post("/preview", { ...body, windowTokens: 9_999, row: 1 })).toMatchObject({
      status: 404,
      error: { code: "request.not-kept" },
    });
  });

  it.each([
    [{ conversation: { text: "hello" } }, "log.unreadable"],
    [{ conversation: { example: "none" } }, "request.not-kept"],
    [{ conversation: { requestId: "lh_none" } }, "request.not-kept"],
    [{ ...BUG_HUNT, strategy: "magic" }, "settings.invalid"],
    [{ ...BUG_HUNT, strategy: "native", config: { nonsense: 1 } }, "settings.invalid"],
    [{ ...BUG_HUNT, config: {} }, "request.malformed"],
    [{ ...BUG_HUNT, preset: "x", strategy: "native" }, "request.malformed"],
    [{ ...BUG_HUNT, profile: "nobody" }, "settings.invalid"],
    [{ ...BUG_HUNT, summarizer: "nobody" }, "settings.invalid"],
    [{ ...BUG_HUNT, asksModels: true }, "settings.invalid"],
    [{ ...BUG_HUNT, windowTokens: 0 }, "request.malformed"],
    [{}, "request.malformed"],
  ])("rejects %j with %s", async (body, code) => {
    expect(await post("/preview", body)).toMatchObject({ error: { code } });
  });

  it("stores nothing but its requests to models", async () => {
    const before = (await opened.ask("GET", "/events")).body;
    expect(before.requests.length).toBeGreaterThan(0);
    expect(before.requests.every(({ action }: { action: string }) => action === "preview")).toBe(true);
    await post("/preview", BUG_HUNT);
    expect((await opened.ask("GET", "/events")).body).toEqual(before);
    expect((await opened.ask("GET", "/sessions")).body).toEqual({ sessions: [], children: [] });
  });
});

describe("POST /estimate", () => {
  it("compares all strategies and recommends one with a reason", async () => {
    const compared = await post("/estimate", BUG_HUNT);
    const { strategies } = (await opened.ask("GET", "/strategies")).body;
    expect(compared.strategies.map(({ id }: { id: string }) => id)).toEqual(
      strategies.map(({ id }: { id: string }) => id),
    );
    const byId = Object.fromEntries(compared.strategies.map((one: { id: string }) => [one.id, one]));
    expect(byId["full-history"]).toMatchObject({ fits: false, reductionPercent: 0, costUsd: 0 });
    expect(byId.native).toMatchObject({ fits: true, reachesTarget: true, asks: 1 });
    expect(byId.native.costUsd).toBeGreaterThan(0);
    expect(compared.recommended).toEqual({ strategy: "lossless", reason: expect.stringContaining("nothing is lost") });
  });

  it("compares the price of summaries by profile", async () => {
    const { profiles } = await post("/estimate", { ...BUG_HUNT, model: "claude-sonnet-4-5" });
    expect(profiles).toMatchObject({ strategy: "native", asks: 1, recommended: { profile: "cheap" } });
    expect(profiles.costs.map(({ profile }: { profile: string }) => profile)).toEqual([null, "cheap", "expensive"]);
    const [own, cheap, expensive] = profiles.costs;
    expect(own).toMatchObject({ savedUsd: 0, savedPercent: 0 });
    expect(cheap.savedPercent).toBeGreaterThan(90);
    expect(cheap.savedUsd).toBeCloseTo(own.costUsd - cheap.costUsd);
    expect(expensive.savedPercent).toBeLessThan(0);
  });
});

describe("POST /replay", () => {
  it("prices a session as a strategy would have sent it", async () => {
    const body = { ...BUG_HUNT, windowTokens: 12_000 };
    const [lossless, window] = [
      await post("/replay", { ...body, strategy: "lossless" }),
      await post("/replay", { ...body, strategy: "sliding-window" }),
    ];
    expect(lossless).toMatchObject({ status: 200, strategy: "lossless", windowTokens: 12_000, fits: true });
    expect(window.condensations).toBeGreaterThan(0);
    expect(window.untouchedUsd).toBe(lossless.untouchedUsd);
    expect(lossless.costUsd).toBeLessThan(lossless.untouchedUsd);
    expect(window.recall).toBeGreaterThan(0);
    expect(window.lost[0].tokens).toBeGreaterThan(0);
    expect(await post("/replay", { ...body, strategy: "full-history" })).toMatchObject({
      fits: false,
      condensations: 0,
    });
  });

  it("uses the model's own window by default", async () => {
    const shown = await post("/replay", { ...BUG_HUNT, strategy: "sliding-window" });
    expect(shown).toMatchObject({ windowTokens: 200_000, condensations: 0, lost: [] });
    expect(shown.costUsd).toBeCloseTo(shown.untouchedUsd, 9);
  });

  it.each([
    [{ conversation: { session: "none" }, strategy: "smart" }, "request.not-kept"],
    [{ conversation: { log: "none" }, strategy: "smart" }, "request.not-kept"],
    [{ ...BUG_HUNT, strategy: "magic" }, "settings.invalid"],
  ])("rejects %j with %s", async (body, code) => {
    expect(await post("/replay", body)).toMatchObject({ error: { code } });
  });
});

describe("GET /logs", () => {
  it("lists logs of other tools by the user's first words, and replays them", async () => {
    const { isAvailable, logs } = (await opened.ask("GET", "/logs")).body;
    expect(isAvailable).toBe(true);
    expect(logs).toEqual([
      {
        id: expect.any(String),
        client: "Claude Code",
        title: "Fix the tax.",
        bytes: expect.any(Number),
        changedAtMs: expect.any(Number),
      },
    ]);
    const shown = await post("/replay", { conversation: { log: logs[0].id }, strategy: "smart" });
    expect(shown).toMatchObject({ status: 200, model: "claude-sonnet-4-5", requests: 1 });
  });

  it("reads nothing if the gateway can be reached from other machines", async () => {
    const open = await openAdminServer(
      { store: { path: ":memory:" }, server: { host: "0.0.0.0", adminToken: ADMIN_TOKEN } },
      { home },
    );
    expect((await open.ask("GET", "/logs")).body).toEqual({ isAvailable: false, logs: [] });
    const { logs } = (await opened.ask("GET", "/logs")).body;
    const asked = await open.ask("POST", "/replay", { conversation: { log: logs[0].id }, strategy: "smart" });
    expect(asked.body).toMatchObject({ error: { code: "request.unsupported" } });
    await open.close();
  });
});

describe("examples", () => {
  it("are listed, and returned as request bodies", async () => {
    const { examples } = (await opened.ask("GET", "/examples")).body;
    expect(examples.map(({ id }: { id: string }) => id)).toEqual(["bug-hunt", "outage", "planning"]);
    const { text } = (await opened.ask("GET", "/examples/outage")).body;
    expect(text).toBe(findExample("outage").text);
    expect((await opened.ask("GET", "/examples/none")).status).toBe(404);
  });
});

it("finds messages that are pinned by hash or by their user's marker", () => {
  const result = makeUser(makeToolResult("a", "42 rows"));
  const rule = makeUser("#longhaul-pin Keep this.");
  const messages = [makeUser("the task"), result, rule, makeAssistant("#longhaul-pin is noted.")];
  const hash = fingerprint(result, sha256);
  expect(pinsOf({ messages }, [hash, "gone"])).toEqual([
    { hash, role: "user", text: expect.stringContaining("42 rows"), isMarked: false },
    { hash: fingerprint(rule, sha256), role: "user", text: "#longhaul-pin Keep this.", isMarked: true },
  ]);
});
