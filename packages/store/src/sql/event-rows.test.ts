import { describe, expect, it } from "vitest";
import { makeCondensationEvent, makeRequestEvent } from "../testing/make.ts";
import { condensationOf, condensationRowOf, hasFailed, isOverWindow, requestOf, requestRowOf } from "./event-rows.ts";

describe("rows of events", () => {
  it("hold all of an event", () => {
    const event = makeRequestEvent({ isGone: true, warnings: ["a"], status: 500, windowTokens: 1 });
    expect(requestOf(requestRowOf(event))).toStrictEqual(event);
    expect(condensationOf(condensationRowOf(makeCondensationEvent()))).toStrictEqual(makeCondensationEvent());
  });

  it("that cannot be read are empty in that place", () => {
    const row = { ...requestRowOf(makeRequestEvent()), warnings: "{", anatomy: "[" };
    expect(requestOf(row)).toStrictEqual(makeRequestEvent({ warnings: [], anatomy: {} }));
    const condensation = { ...condensationRowOf(makeCondensationEvent()), report: "" };
    expect(condensationOf(condensation)).toStrictEqual(makeCondensationEvent({ report: {} }));
  });
});

it.each([
  [{}, false],
  [{ status: 399 }, false],
  [{ status: 400 }, true],
  [{ errorCode: "upstream.broken" }, true],
  [{ isGone: true }, false],
])("knows whether a request with %j has failed", (fields, expected) => {
  expect(hasFailed(makeRequestEvent(fields))).toBe(expected);
});

it.each([
  [{ windowTokens: 9, originalTokens: 10 }, true],
  [{ windowTokens: 9, originalTokens: 9 }, false],
  [{ windowTokens: 0, originalTokens: 10 }, false],
])("knows whether a prompt with %j had outgrown its window", (fields, expected) => {
  expect(isOverWindow(makeRequestEvent(fields))).toBe(expected);
});
