import { makeTokenCounters } from "@longhaul/models";
import { expect, it } from "vitest";
import { sha256 } from "../known/known-messages.ts";
import { measurePiece, type Piece } from "./measure-piece.ts";

const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");

function makePiece(kind: Piece["kind"], value: unknown): Piece {
  const bytes = new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
  return { kind, bytes, wire: "anthropic-messages", line: {}, tokenizer: "o200k" };
}

it("measures a message", () => {
  const { message } = measurePiece(makePiece("message", { role: "user", content: "some words" }), counter);
  expect([message?.known.role, message?.sizes]).toEqual(["user", [{ text: 2, fixed: 0 }]]);
});

it("measures a head", () => {
  const { head } = measurePiece(makePiece("head", { model: "m", system: "some words", messages: [] }), counter);
  expect(head).toEqual({ system: [{ text: 2, fixed: 0 }], tools: [] });
});

it("measures nothing of bytes that are not a message", () => {
  expect(measurePiece(makePiece("message", "{oops"), counter)).toEqual({});
});
