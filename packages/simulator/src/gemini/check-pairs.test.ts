import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { checkPairs } from "./check-pairs.ts";

const user = (text = "q"): JsonObject => ({ role: "user", parts: [{ text }] });
const model = (text = "a"): JsonObject => ({ role: "model", parts: [{ text }] });
const calls = (...names: string[]): JsonObject => ({
  role: "model",
  parts: names.map((name) => ({ functionCall: { name } })),
});
const results = (...names: string[]): JsonObject => ({
  role: "user",
  parts: names.map((name) => ({ functionResponse: { name } })),
});

const AFTER_CALL = "Please ensure that function response turn comes immediately after a function call turn.";
const AFTER_USER =
  "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
const EQUAL =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";

it.each([
  ["a result without a call", [user(), results("f")], AFTER_CALL],
  ["a result at the front", [results("f")], AFTER_CALL],
  ["a result after a model's words", [user(), model(), results("f")], AFTER_CALL],
  ["a call at the front", [calls("f"), results("f")], AFTER_USER],
  ["a call after a model's words", [user(), model(), calls("f"), results("f")], AFTER_USER],
  ["a call without a result", [user(), calls("f"), user()], EQUAL],
  ["a call at the end", [user(), calls("f")], EQUAL],
  ["fewer results than calls", [user(), calls("f", "g"), results("f")], EQUAL],
  ["more results than calls", [user(), calls("f"), results("f", "g")], EQUAL],
  ["results in two contents", [user(), calls("f", "g"), results("f"), results("g")], EQUAL],
])("refuses %s", (_, contents, message) => {
  expect(() => checkPairs(contents)).toThrow(message);
});

it("takes calls with their results, one step after the other, and words beside them", () => {
  const beside = { role: "user", parts: [{ functionResponse: { name: "g" } }, { text: "and" }] };
  expect(() =>
    checkPairs([user(), user(), calls("f", "g"), results("f", "g"), calls("g"), beside, model(), model()]),
  ).not.toThrow();
});
