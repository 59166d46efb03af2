import o200k from "tiktoken/encoders/o200k_base.json" with { type: "json" };
import { expect, it } from "vitest";
import { describePieces, piecesOf } from "../../testing/describe-pieces.ts";
import { o200kPieceEnd } from "./o200k-pieces.ts";

describePieces("o200k", o200kPieceEnd, o200k.pat_str);

it("cuts words at capitals and keeps contractions with them", () => {
  expect(piecesOf("camelCaseHTML we'll 12345 //\n x", o200kPieceEnd)).toEqual([
    "camel",
    "Case",
    "HTML",
    " we'll",
    " ",
    "123",
    "45",
    " //\n",
    " x",
  ]);
});
