import { findModel, loadCatalog } from "@longhaul/models";
import { mergeContext } from "@longhaul/settings";
import { afterAll, describe, expect, it } from "vitest";
import { makeSetup } from "../testing/index.ts";
import { destinationAt, termsFor, withTerms } from "./destination.ts";

const snapshot = makeSetup({
  upstreams: { sim: { kind: "simulator" }, local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1" } },
});
afterAll(() => snapshot.close());

const context = mergeContext(snapshot.config.context);

it("chooses the deployment of the model's own vendor and its format", () => {
  const { handle, wire, model } = destinationAt("sim", {
    requested: "gemini-2.5-pro",
    wire: "openai-chat",
    snapshot,
    isRenamed: true,
    context,
  });
  expect([handle.connection.upstream.deployment.vendor, wire, model]).toEqual(["google", "gemini", "gemini-2.5-pro"]);
});

it("keeps a model name that was configured for this upstream", () => {
  const options = { requested: "openai/gpt-4o", wire: "openai-chat", snapshot, context } as const;
  const names = [true, false].map((isRenamed) => destinationAt("sim", { ...options, isRenamed }).model);
  expect(names).toEqual(["openai/gpt-4o", "gpt-4o"]);
});

it("names an upstream that is not running", () => {
  const options = { requested: "gpt-4o", wire: "openai-chat", snapshot, isRenamed: false, context } as const;
  expect(() => destinationAt("gone", options)).toThrow(/upstream "gone" is not configured/);
});

it("removes only the platform from a name with an unknown suffix", () => {
  const unread = { text: "4k-high", base: "gpt-4o", takes: "" };
  const options = {
    requested: "openai/gpt-4o:4k:high",
    wire: "openai-chat",
    snapshot,
    isRenamed: false,
    context,
  } as const;
  expect(destinationAt("sim", { ...options, reasoning: { unread, settings: {} } }).model).toBe("gpt-4o:4k:high");
});

it("uses the profile's terms for its model", () => {
  const profile = { model: "gpt-4o", window: 9_000, prices: { input: 1, output: 2 } };
  const at = { wire: "openai-chat", snapshot, isRenamed: true, context, profile } as const;
  const own = destinationAt("sim", { ...at, requested: "gpt-4o" });
  expect([own.windowTokens, own.match.model.window, own.match.model.prices]).toMatchObject([
    9_000,
    9_000,
    { input: 1 },
  ]);
  const other = destinationAt("sim", { ...at, requested: "gpt-4o-mini" });
  expect([other.windowTokens, other.match.model.window]).toEqual([undefined, 128_000]);
});

const match = findModel(loadCatalog(), "claude-opus-4-6");

describe("termsFor", () => {
  const terms = { window: 9, prices: { input: 1, output: 2 } };

  it("returns the profile's terms for the model and upstream that it names", () => {
    expect(termsFor("up", "m", terms)).toEqual(terms);
    expect(termsFor("up", "m", { ...terms, upstream: "up", model: "m" })).toMatchObject(terms);
  });

  it("returns none for another model, another upstream, or no profile", () => {
    expect(termsFor("up", "m", { ...terms, model: "n" })).toEqual({});
    expect(termsFor("up", "m", { ...terms, upstream: "other" })).toEqual({});
    expect(termsFor("up", "m", undefined)).toEqual({});
  });
});

describe("withTerms", () => {
  it("returns the same model if there are no terms", () => {
    expect(withTerms(match, {})).toBe(match);
  });

  it("sets window, output and prices, with the vendor's rules for missing prices", () => {
    const { model } = withTerms(match, { window: 50_000, prices: { input: 4, output: 8, cacheRead: 1 } });
    expect(model).toMatchObject({
      window: 50_000,
      maxOutput: 50_000,
      prices: { input: 4, output: 8, cacheRead: 1, cacheWrite: 5 },
    });
    expect(withTerms(match, { maxOutputTokens: 7 }).model).toEqual({ ...match.model, maxOutput: 7 });
  });
});
