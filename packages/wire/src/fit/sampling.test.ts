import type { Request } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf, type TestFitting } from "../testing/make-fitting.ts";
import { fitSettings } from "./sampling.ts";

function fit(fields: Partial<Request>, fitting: TestFitting): Omit<Request, "conversation"> {
  const { conversation: _, ...rest } = fitSettings(makeRequestOf(undefined, fields), fitting);
  return rest;
}

const PLAIN = { model: "m", stream: false, sampling: {} };

describe("fitSettings", () => {
  it("returns the identical request where everything is taken", () => {
    const request = makeRequestOf(undefined, { sampling: { temperature: 0, topK: 5 }, maxOutputTokens: 10, user: "u" });
    expect(fitSettings(request, makeFitting())).toBe(request);
  });

  it("names the model as the target does", () => {
    expect(fit({}, makeFitting({ target: { model: "claude-x" } }))).toEqual({ ...PLAIN, model: "claude-x" });
  });

  it("drops what the model refuses and what the format lacks", () => {
    const fitting = makeFitting({ target: { rejects: ["temperature", "topP"] } });
    expect(fit({ sampling: { temperature: 0.2, topP: 0.9, topK: 3, seed: 1 } }, fitting)).toEqual({
      ...PLAIN,
      sampling: { topK: 3 },
    });
    expect(fitting.warnings().map(({ feature, message }) => [feature, message])).toEqual([
      ["sampling.temperature", "the model refuses it"],
      ["sampling.topP", "the model refuses it"],
      ["sampling.seed", "anthropic-messages has no words for it"],
    ]);
  });

  it("sends top_k to a server that takes it although the format has none", () => {
    const rules = { lacks: { "sampling.topK": "drop" } } as const;
    expect(fit({ sampling: { topK: 3 } }, makeFitting({ rules }))).toEqual(PLAIN);
    expect(fit({ sampling: { topK: 3 } }, makeFitting({ rules, target: { topK: true } }))).toEqual({
      ...PLAIN,
      sampling: { topK: 3 },
    });
  });

  it("keeps to the ranges", () => {
    const fitting = makeFitting({
      rules: { maxStopSequences: 1, refusesBlankText: true },
      target: { maxOutputTokens: 100 },
    });
    const sampling = { temperature: 1.7, stopSequences: ["\n", "a", "b"] };
    expect(fit({ sampling, maxOutputTokens: 500 }, fitting)).toEqual({
      ...PLAIN,
      sampling: { temperature: 1, stopSequences: ["a"] },
      maxOutputTokens: 100,
    });
    expect(fitting.warnings().map(({ feature, action }) => [feature, action])).toEqual([
      ["sampling.temperature", "changed"],
      ["sampling.stopSequences", "changed"],
      ["sampling.stopSequences", "changed"],
      ["maxOutputTokens", "changed"],
    ]);
  });

  it("drops JSON without a schema, one call at a time and the user where the format has no words for them", () => {
    const rules = { lacks: { "outputFormat.json": "drop", parallelToolCalls: "drop", user: "drop" } } as const;
    const fitting = makeFitting({ rules });
    expect(fit({ outputFormat: { kind: "json" }, parallelToolCalls: false, user: "u" }, fitting)).toEqual(PLAIN);
    expect(fitting.warnings().map(({ feature }) => feature)).toEqual([
      "parallelToolCalls",
      "outputFormat.json",
      "user",
    ]);
    const silent = makeFitting({ rules });
    expect(fit({ parallelToolCalls: true }, silent)).toEqual(PLAIN);
    expect(silent.warnings()).toEqual([]);
  });

  it("hashes a user's name that is too long", () => {
    const fitting = makeFitting({ rules: { maxUserChars: 64 } });
    const { user } = fit({ user: "x".repeat(65) }, fitting);
    expect(user).toMatch(/^[0-9a-f]{32}$/);
    expect(fitting.warnings()).toMatchObject([{ feature: "user", action: "changed" }]);
  });
});
