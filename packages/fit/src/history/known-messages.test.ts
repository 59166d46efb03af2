import { CLEARED } from "@longhaul/condense/advanced";
import { makeText, makeToolResult } from "@longhaul/conversation/testing";
import { makeTokenCounters } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import { expect, it } from "vitest";
import { isClearedResult, measurePiece, type Piece, sha256 } from "./known-messages.ts";

const _codec = codecOf("anthropic-messages");
const encode = (text: string) => new TextEncoder().encode(text);
const _bodyOf = (...messages: string[]) => encode(`{"model":"m","messages":[${messages.join(",")}]}`);

it.each([
  "[Old tool result content cleared]",
  "[cleared]",
  "[Output removed to save context - information superseded or no longer needed]",
  CLEARED,
  "",
])("recognises a result with only %j as cleared", (text) => {
  expect(isClearedResult({ ...makeToolResult("a"), content: [makeText(text)] })).toBe(true);
});

it("recognises an empty result as cleared", () => {
  expect(isClearedResult({ ...makeToolResult("a"), content: [] })).toBe(true);
});

it.each([
  "cleared",
  "[cleared] and more",
  "Result:\n[Old tool result content cleared]",
  "<tool_output_masked>\nfirst lines\n</tool_output_masked>",
])("does not recognise %j as cleared", (text) => {
  expect(isClearedResult({ ...makeToolResult("a"), content: [makeText(text)] })).toBe(false);
  expect(isClearedResult({ ...makeToolResult("a"), content: [makeText("[cleared]"), makeText(text)] })).toBe(false);
});

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
  expect(head?.sizes).toEqual({ system: [{ text: 2, fixed: 0 }], tools: [] });
});

it("measures nothing for bytes that are not a message", () => {
  expect(measurePiece(makePiece("message", "{oops"), counter)).toEqual({});
});
