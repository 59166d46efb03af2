import { describe, expect, it } from "vitest";
import { type Ask, asksIn } from "./edit.ts";

const ask = (instructions: string): Ask => ({
  kind: "ask",
  messages: [],
  instructions,
  maxTokens: 1,
  expectedTokens: 1,
});

describe("asksIn", () => {
  it("finds asks in splices and in generated messages, in order", () => {
    const [a, b, c] = [ask("a"), ask("b"), ask("c")];
    const at = { message: 0, block: 0, path: [] };
    expect(
      asksIn([
        {
          kind: "splice",
          at,
          splices: [
            { from: 0, to: 1, text: a },
            { from: 2, to: 3, text: "plain" },
          ],
          reason: "summarize",
        },
        { kind: "remove", at, reason: "drop" },
        { kind: "replace", from: 1, to: 2, with: [{ role: "system", parts: ["[", b, c] }], reason: "summarize" },
      ]),
    ).toEqual([a, b, c]);
  });
});
