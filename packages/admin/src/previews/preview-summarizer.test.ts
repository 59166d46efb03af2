import type { Ask } from "@longhaul/condense";
import { textMessage } from "@longhaul/conversation";
import { json, makeFitState, openUpstream } from "@longhaul/fit/testing";
import { describe, expect, it } from "vitest";
import type { OwnCall } from "../host/own-calls.ts";
import { resolve, snapshotOf } from "../testing/admin-server.ts";
import { findTerms, type PreviewOptions } from "./find-terms.ts";
import { previewSummarizer } from "./preview-summarizer.ts";

const words = "They talked about the harbour and decided to go there by boat on the ninth of May.";
const ask: Ask = {
  kind: "ask",
  messages: [textMessage("user", "Let us go to the harbour. ".repeat(200))],
  instructions: "Be brief.",
  maxTokens: 500,
  expectedTokens: 50,
};

async function open(options: PreviewOptions, url = "http://127.0.0.1:9") {
  const snapshot = snapshotOf({
    upstreams: { up: { kind: "anthropic", baseUrl: url, apiKey: "own-key" } },
    routes: [{ match: "claude-*", upstream: "up" }],
    profiles: { cheap: { upstream: "up", model: "claude-haiku-4-5" } },
  });
  const fitting = await makeFitState();
  const found = findTerms(
    options,
    { format: "anthropic-messages", model: "claude-opus-4-6" },
    { snapshot, resolve, ratioOf: () => 1, correct: fitting.summaryCosts.correct },
  );
  const { signal } = new AbortController();
  return (warn = (_: string) => {}, record = (_: OwnCall) => {}) =>
    previewSummarizer(found, { snapshot, fitting, signal, warn, record });
}

describe("previewSummarizer", () => {
  it("calls the profile's model with the upstream's own key", async () => {
    const usage = { input_tokens: 1_000, output_tokens: 50 };
    const reply = { id: "m", type: "message", role: "assistant", model: "x", stop_reason: "end_turn", usage };
    const upstream = await openUpstream(json({ ...reply, content: [{ type: "text", text: words }] }));
    const calls: OwnCall[] = [];
    const summarize = (await open({ summarizer: "cheap" }, upstream.url))(undefined, (call) => void calls.push(call));
    const answer = await summarize(ask);
    expect(answer).toMatchObject({ kind: "text", text: words, costUsd: expect.any(Number) });
    expect(calls).toMatchObject([
      { action: "preview", upstream: "up", model: "claude-haiku-4-5", costUsd: answer.costUsd },
    ]);
    expect(upstream.seen).toMatchObject([{ headers: { "x-api-key": "own-key" } }]);
    expect(JSON.parse(upstream.seen[0]?.body.toString() ?? "{}")).toMatchObject({ model: "claude-haiku-4-5" });
    await upstream.close();
  });

  it("reports the writer that failed if the summary was made without a model", async () => {
    const refused = { type: "error", error: { type: "authentication_error", message: "bad key" } };
    const upstream = await openUpstream(json(refused, 401));
    const warnings: string[] = [];
    const summarize = (await open({ summarizer: "cheap" }, upstream.url))((what) => void warnings.push(what));
    expect(await summarize(ask)).toMatchObject({ kind: "text", costUsd: 0 });
    expect(warnings).toEqual([
      expect.stringContaining("claude-haiku-4-5 did not"),
      expect.stringContaining("claude-opus-4-6 did not"),
    ]);
    await upstream.close();
  });

  it("throws without a summarizer, and for a model without a route", async () => {
    expect(await open({})).toThrow("choose a profile");
    expect(await open({ summarizer: "cheap", model: "gemini-2.5-pro" })).toThrow("no route");
  });
});
