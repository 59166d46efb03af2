import { LonghaulError, textBlock, textMessage } from "@longhaul/conversation";
import { costOf, findModel, loadCatalog } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { openRecord, type RequestRecord } from "../request/request-record.ts";
import { endedRequest } from "./request-event.ts";

const endpoint = { wire: "anthropic-messages", action: "generate", method: "POST" } as const;
const usage = {
  inputTokens: 100,
  cacheReadTokens: 40_000,
  cacheWriteTokens: 900,
  outputTokens: 70,
  reasoningTokens: 7,
};

function makeRecord(fields: Partial<RequestRecord> = {}): RequestRecord {
  return { ...openRecord("lh_1", "00-aa-bb-01"), ...fields };
}

const match = findModel(loadCatalog(), "claude-opus-4-6");
const ending = {
  endpoint,
  status: 200,
  ms: 1_000.4,
  usage,
  isGone: false,
  redact: (text: string) => text.replace("sk-hush", "[redacted]"),
  hasTitles: true,
};

const facts = makeRecord({
  atMs: 5_000,
  identity: { tenant: "team", keyId: "key_1" },
  model: "claude-opus-4-6",
  sentTo: { upstream: "up", model: "claude-opus-4-6", match },
  attempts: 2,
  receivedMs: 10,
  waitedMs: 380,
  firstByteMs: 400,
  warnings: [{ feature: "sampling.seed", action: "dropped", message: "hush", count: 1 }],
  sized: {
    session: "talk sk-hush",
    parent: "main sk-hush",
    windowTokens: 200_000,
    originalTokens: 120_000,
    sentTokens: 41_000,
    isAnchored: true,
    newTokens: 1_000,
    isWarm: true,
    anatomy: () => ({ text: 41_000 }),
    opening: () => undefined,
    aside: () => undefined,
  },
  condensed: {
    originalTokens: 120_000,
    sentTokens: 41_000,
    strategy: "native",
    origin: "reused",
    isDeduplicated: false,
  },
});

describe("endedRequest", () => {
  it("makes the event of a condensed request", () => {
    const { prices } = match.model;
    if (prices === undefined) throw new Error("no prices");
    const { event, platform, family } = endedRequest(ending, facts);
    expect([platform, family]).toEqual(["anthropic", "claude-opus-4-6"]);
    expect(event).toEqual({
      id: "lh_1",
      atMs: 5_000,
      tenant: "team",
      keyId: "key_1",
      session: "talk [redacted]",
      parent: "main [redacted]",
      wire: "anthropic-messages",
      action: "generate",
      model: "claude-opus-4-6",
      sentAs: "claude-opus-4-6",
      upstream: "up",
      status: 200,
      errorCode: "",
      errorMessage: "",
      isGone: false,
      ms: 1_000,
      firstByteMs: 400,
      addedMs: 10,
      attempts: 2,
      ...usage,
      windowTokens: 200_000,
      originalTokens: 120_000,
      sentTokens: 41_000,
      strategy: "native",
      origin: "reused",
      costUsd: costOf(usage, prices),
      savedUsd: expect.closeTo((79_000 * prices.cacheRead) / 1_000_000, 9),
      deduplicatedUsd: 0,
      cachedUsd: expect.closeTo(
        (usage.cacheReadTokens * (prices.input - prices.cacheRead) +
          usage.cacheWriteTokens * (prices.input - prices.cacheWrite)) /
          1_000_000,
        9,
      ),
      copiedMarks: 0,
      warnings: ["sampling.seed"],
      anatomy: { text: 41_000 },
    });
  });

  it("has the sizes by the vendor's count", () => {
    const { sized } = facts;
    if (sized === undefined) throw new Error("no sizes");
    const estimated = { ...sized, sentTokens: 50_000, anatomy: () => ({ text: 40_000, tools: 10_000 }) };
    const sizes = (fields: Partial<RequestRecord>) => {
      const { originalTokens, sentTokens, anatomy } = endedRequest(ending, { ...facts, ...fields }).event;
      return { originalTokens, sentTokens, anatomy };
    };
    const sent = { sentTokens: 41_000, anatomy: { text: 32_800, tools: 8_200 } };
    expect(sizes({ sized: { ...estimated, originalTokens: 50_000 }, condensed: undefined })).toEqual({
      ...sent,
      originalTokens: 41_000,
    });
    expect(sizes({ sized: estimated })).toEqual({ ...sent, originalTokens: 111_000 });
    expect(sizes({ sized: { ...estimated, isAnchored: false } })).toEqual({ ...sent, originalTokens: 120_000 });
    const { event } = endedRequest({ ...ending, usage: undefined }, { ...facts, sized: estimated });
    expect([event.originalTokens, event.sentTokens]).toEqual([120_000, 50_000]);
  });

  it("marks a request that the client makes for itself", () => {
    const { sized } = facts;
    if (sized === undefined) throw new Error("no sizes");
    const actionOf = (system: string) => {
      const opening = { system: [textBlock(system)], messages: [textMessage("user", "Fix the login.")] };
      return endedRequest(ending, { ...facts, endpoint, sized: { ...sized, aside: () => opening } }).event.action;
    };
    expect(actionOf("Generate a concise title for this session.")).toBe("aside");
    expect(actionOf("You are Claude Code.")).toBe("generate");
  });

  it("attributes the savings of a prompt that only has references to deduplication", () => {
    const condensed = facts.condensed && { ...facts.condensed, isDeduplicated: true };
    const { event } = endedRequest(ending, { ...facts, condensed });
    expect(event.deduplicatedUsd).toBeGreaterThan(0);
    expect(event.deduplicatedUsd).toBe(event.savedUsd);
  });

  it("describes a session by its opening, until title and project are known", () => {
    let enough = 0;
    const describe = (text: string, hasTitles = true) => {
      const system = [textBlock("Working directory: /srv/shop")];
      const headers = { "user-agent": "claude-cli/2.1.0" };
      const opening = { system, messages: [textMessage("user", text)], headers, isEnough: () => void enough++ };
      const { sized } = facts;
      if (sized === undefined) throw new Error("no sizes");
      return endedRequest({ ...ending, hasTitles }, { ...facts, sized: { ...sized, opening: () => opening } })
        .description;
    };
    const known = {
      tenant: "team",
      session: "talk [redacted]",
      branch: "",
      client: "Claude Code",
      clientVersion: "2.1.0",
    };
    expect(describe("quota")).toEqual({ ...known, title: "", project: "/srv/shop" });
    expect(enough).toBe(0);
    expect(describe("Use sk-hush here")).toEqual({ ...known, title: "Use [redacted] here", project: "/srv/shop" });
    expect(enough).toBe(1);
    expect(describe("Any words", false)).toEqual({ ...known, title: "", project: "" });
    expect(endedRequest(ending, facts).description).toBeUndefined();
  });

  it("leaves the fields empty for a request that reached no upstream", () => {
    const error = new LonghaulError("route.unknown", "no upstream");
    const ended = endedRequest({ ...ending, usage: undefined, status: 404 }, makeRecord({ error }));
    const { event, platform, family } = ended;
    expect([platform, family]).toEqual(["", ""]);
    expect(event).toMatchObject({ tenant: "", upstream: "", attempts: 0, costUsd: 0, savedUsd: 0, anatomy: {} });
    expect(event).toMatchObject({ errorCode: "route.unknown", status: 404, inputTokens: 0, session: "", origin: "" });
  });

  it("counts the whole time as added without an upstream call, and none if clocks disagree", () => {
    expect(endedRequest(ending, makeRecord({ receivedMs: 0.4 })).event.addedMs).toBe(1_000);
    expect(endedRequest(ending, makeRecord({ firstByteMs: 5, waitedMs: 6 })).event.addedMs).toBe(0);
  });

  it("leaves the family empty for a model that the catalog does not list", () => {
    const own = findModel(loadCatalog(), "my-own-model-17");
    const sentTo = { upstream: "up", model: "my-own-model-17", match: own };
    expect(endedRequest(ending, { ...facts, sentTo }).family).toBe("");
  });

  it("shortens names and replaces characters that a database rejects", () => {
    expect(endedRequest(ending, makeRecord({ model: "m".repeat(5_000) })).event.model).toHaveLength(200);
    expect(endedRequest(ending, makeRecord({ model: "a\0b" })).event.model).toBe("a\uFFFDb");
  });
});
