import { expect, it } from "vitest";
import { fitAnswer } from "./fit-answer.ts";

const model = { maxOutput: 32_000 };
const least = 1_024;

it("never goes below the least that the model takes", () => {
  const small = { maxOutput: 1_500 };
  expect(fitAnswer({ budget: 4_096, least, model: small, maxOutputTokens: undefined })).toMatchObject({
    budget: least,
  });
});

it("leaves a budget alone that fits into the reply", () => {
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: 8_000 })).toEqual({
    budget: 4_096,
    adjustments: [],
  });
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: undefined })).toEqual({
    budget: 4_096,
    adjustments: [],
  });
});

it("puts the budget on top of what the client allows for the answer", () => {
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: 100 })).toMatchObject({ maxOutputTokens: 4_196 });
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: 4_096 })).toMatchObject({ maxOutputTokens: 8_192 });
  expect(fitAnswer({ budget: 4_096, least, model, maxOutputTokens: 0 })).toMatchObject({ maxOutputTokens: 4_097 });
});

it("lowers the budget where the model writes no more", () => {
  expect(fitAnswer({ budget: 40_000, least, model, maxOutputTokens: 20_000 })).toEqual({
    budget: 31_000,
    maxOutputTokens: 32_000,
    adjustments: [
      { what: "budget", from: "40000", to: "31000", why: "the model writes at most 32000 tokens" },
      { what: "max_tokens", from: "20000", to: "32000", why: "31000 tokens of thinking count as part of the reply" },
    ],
  });
});
