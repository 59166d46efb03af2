import cl100k from "tiktoken/encoders/cl100k_base.json" with { type: "json" };
import { expect, it } from "vitest";
import { describePieces, piecesOf } from "../../testing/describe-pieces.ts";
import { cl100kPieceEnd } from "./cl100k-pieces.ts";

describePieces("cl100k", cl100kPieceEnd, cl100k.pat_str);

it("keeps capitals within words and cuts contractions off", () => {
  expect(piecesOf("camelCaseHTML we'll 12345 //\n x", cl100kPieceEnd)).toEqual([
    "camelCaseHTML",
    " we",
    "'ll",
    " ",
    "123",
    "45",
    " //\n",
    " x",
  ]);
});
