import { LonghaulError } from "@longhaul/conversation";
import { costOf, findModel, loadCatalog } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import type { Notes } from "../record.ts";
import { type Ending, endedRequest } from "./request-event.ts";

const served = findModel(loadCatalog(), "claude-opus-4-6");
const usage = {
  inputTokens: 100,
  cacheReadTokens: 40_000,
  cacheWriteTokens: 900,
  outputTokens: 70,
  reasoningTokens: 7,
};

function ending(fields: Partial<Ending> = {}): Ending {
  return {
    id: "lh_1",
    endpoint: { wire: "anthropic-messages", action: "generate", method: "POST" },
    atMs: 5_000,
    status: 200,
    ms: 1_000.4,
    usage,
    redact: (text) => text.replace("sk-hush", "[redacted]"),
    ...fields,
  };
}

const notes: Notes = {
  identity: { tenant: "team", keyId: "key_1" },
  model: "claude-opus-4-6",
  sentAs: "claude-opus-4-6",
  upstream: "up",
  served,
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
    warmTokens: 0,
    anatomy: () => ({ text: 41_000 }),
  },
  condensed: { originalTokens: 120_000, sentTokens: 41_000, strategy: "native", origin: "reused" },
};

describe("endedRequest", () => {
  it("tells a request's figures", () => {
    const { prices } = served.model;
    if (prices === undefined) throw new Error("no prices");
    const { event, platform, family } = endedRequest(ending(), notes);
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
      warnings: ["sampling.seed"],
      anatomy: { text: 41_000 },
    });
  });

  it("has nothing to tell of a request that came nowhere", () => {
    const error = new LonghaulError("route.unknown", "no upstream");
    const { event, platform, family } = endedRequest(ending({ usage: undefined, status: 404 }), { error });
    expect([platform, family]).toEqual(["", ""]);
    expect(event).toMatchObject({ tenant: "", upstream: "", attempts: 0, costUsd: 0, savedUsd: 0, anatomy: {} });
    expect(event).toMatchObject({ errorCode: "route.unknown", status: 404, inputTokens: 0, session: "", origin: "" });
  });

  it("counts all of the time as added where no upstream was asked, and none where clocks disagree", () => {
    expect(endedRequest(ending(), { receivedMs: 0.4 }).event.addedMs).toBe(1_000);
    expect(endedRequest(ending(), { firstByteMs: 5, waitedMs: 6 }).event.addedMs).toBe(0);
  });

  it("takes no client's word for a family of models", () => {
    const made = findModel(loadCatalog(), "my-own-model-17");
    expect(endedRequest(ending(), { ...notes, served: made }).family).toBe("");
  });

  it("keeps names short, and such that every database takes them", () => {
    expect(endedRequest(ending(), { model: "m".repeat(5_000) }).event.model).toHaveLength(200);
    expect(endedRequest(ending(), { model: "a\0b" }).event.model).toBe("a\uFFFDb");
  });
});
