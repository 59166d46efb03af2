import { expect, it } from "vitest";
import { beginsTurn, callsIn, pathOf, placedParts, responsesIn } from "./messages.ts";

const call = { role: "model", parts: [{ text: "a" }, { functionCall: { name: "f" } }] };
const response = { role: "user", parts: [{ functionResponse: { name: "f" } }] };

it("places parts as error messages name them", () => {
  const [, second] = placedParts({ contents: [{ parts: [{ text: "q" }] }, call] });
  expect(second).toEqual({ content: 1, index: 0, role: "model", part: { text: "a" } });
  expect(pathOf({ content: 1, index: 0 })).toBe("GenerateContentRequest.contents[1].parts[0]");
});

it("finds calls and results", () => {
  expect([callsIn(call), responsesIn(call)]).toEqual([[{ name: "f" }], []]);
  expect([callsIn(response), responsesIn(response)]).toEqual([[], [{ name: "f" }]]);
});

it("begins a turn with the user's own words", () => {
  expect([{ parts: [{ text: "q" }] }, call, response].map(beginsTurn)).toEqual([true, false, false]);
});
