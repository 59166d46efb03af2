import { expect, it } from "vitest";
import { parseVocabulary } from "./parse-vocabulary.ts";
import { NO_RANK } from "./vocabulary.ts";

it("reads tokens in the order of their ranks", () => {
  const tokens = ["a", "bc", "\u00ff\u0000", "def"].map((token) => Buffer.from(token, "latin1"));
  const vocabulary = parseVocabulary(`! 0 ${tokens.map((token) => token.toString("base64")).join(" ")}`);
  expect(tokens.map((token) => vocabulary.rank(token, 0, token.length))).toEqual([0, 1, 2, 3]);
  expect(vocabulary.rank(Buffer.from("x"), 0, 1)).toBe(NO_RANK);
});
