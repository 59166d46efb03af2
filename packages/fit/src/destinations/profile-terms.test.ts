import { findModel, loadCatalog } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { termsFor, withTerms } from "./profile-terms.ts";

const match = findModel(loadCatalog(), "claude-opus-4-6");

describe("termsFor", () => {
  const terms = { window: 9, prices: { input: 1, output: 2 } };

  it("are those of the profile, for the model and upstream that it names", () => {
    expect(termsFor("up", "m", terms)).toEqual(terms);
    expect(termsFor("up", "m", { ...terms, upstream: "up", model: "m" })).toMatchObject(terms);
  });

  it("are none for another model, another upstream, or no profile", () => {
    expect(termsFor("up", "m", { ...terms, model: "n" })).toEqual({});
    expect(termsFor("up", "m", { ...terms, upstream: "other" })).toEqual({});
    expect(termsFor("up", "m", undefined)).toEqual({});
  });
});

describe("withTerms", () => {
  it("leaves a model alone that nothing is said of", () => {
    expect(withTerms(match, {})).toBe(match);
  });

  it("sets window, output and prices, with the vendor's own rules for what is left open", () => {
    const { model } = withTerms(match, { window: 50_000, prices: { input: 4, output: 8, cacheRead: 1 } });
    expect(model).toMatchObject({
      window: 50_000,
      maxOutput: 50_000,
      prices: { input: 4, output: 8, cacheRead: 1, cacheWrite: 5 },
    });
    expect(withTerms(match, { maxOutputTokens: 7 }).model).toEqual({ ...match.model, maxOutput: 7 });
  });
});
