import { pureHash as hash } from "@longhaul/conversation/advanced";
import { makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ContextState,
  decodeContextState,
  encodeContextState,
  isCurrent,
  isPrefix,
  matchesMessages,
  piecesOf,
  prefixHash,
  selectSummarizer,
} from "./context-state.ts";

const STATE: ContextState = {
  strategy: "sandwich",
  summary: "They agreed on tabs.",
  summaryRange: [5, 15],
  compressedAt: "2025-10-02T08:00:00.000Z",
};

describe("a context state", () => {
  it("is current for exactly the messages that it covers", () => {
    expect(isCurrent(STATE, { from: 5, to: 15 })).toBe(true);
    expect(isCurrent(STATE, { from: 5, to: 16 })).toBe(false);
    expect(isCurrent(STATE, { from: 4, to: 15 })).toBe(false);
  });

  it("is a prefix if the middle has grown", () => {
    expect(isPrefix(STATE, { from: 5, to: 16 })).toBe(true);
    expect(isPrefix(STATE, { from: 5, to: 15 })).toBe(false);
    expect(isPrefix(STATE, { from: 4, to: 16 })).toBe(false);
  });

  it("matches the messages that it was created for", () => {
    const messages = ["a", "b", "c", "d"].map((text) => makeUser(text));
    const state: ContextState = { ...STATE, summaryRange: [1, 3], prefix: prefixHash(messages, 3, hash) };
    expect(matchesMessages(state, messages, hash)).toBe(true);
    expect(matchesMessages(state, messages.with(3, makeUser("later")), hash)).toBe(true);
    expect(matchesMessages(state, messages.with(0, makeUser("other")), hash)).toBe(false);
    expect(matchesMessages(state, messages.slice(0, 2), hash)).toBe(false);
  });

  it("without a hash always matches", () => {
    expect(matchesMessages({ ...STATE, summaryRange: [0, 1] }, [makeUser("a")], hash)).toBe(true);
  });

  it("has one piece by default", () => {
    expect(piecesOf(STATE)).toEqual([{ from: 5, to: 15, text: "They agreed on tabs." }]);
    const pieces = [{ from: 5, to: 7, text: "a" }];
    expect(piecesOf({ ...STATE, pieces })).toBe(pieces);
  });
});

describe("the form in .meta.json", () => {
  it("has the field names of the file", () => {
    expect(encodeContextState(STATE)).toEqual({
      strategy: "sandwich",
      summary: "They agreed on tabs.",
      summary_range: [5, 15],
      compressed_at: "2025-10-02T08:00:00.000Z",
    });
  });

  it("round-trips through the file", () => {
    const index = fc.nat({ max: 1000 });
    const text = fc.string({ minLength: 1 });
    const anyState = fc.record(
      {
        strategy: text,
        summary: text,
        summaryRange: fc.tuple(index, fc.integer({ min: 1001, max: 2000 })),
        compressedAt: fc
          .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
          .map((date) => date.toISOString()),
        pieces: fc.array(fc.record({ from: index, to: index, text }), { minLength: 1 }),
        prefix: text,
        configHash: text,
      },
      { requiredKeys: ["strategy", "summary", "summaryRange", "compressedAt"] },
    );
    fc.assert(
      fc.property(anyState, (state) => {
        expect(decodeContextState(JSON.parse(JSON.stringify(encodeContextState(state))))).toEqual(state);
      }),
    );
  });

  it.each([
    ["summary", { summary: "" }],
    ["summary_range", { summary_range: [7, 7] }],
    ["summary_range.0", { summary_range: [-1, 7] }],
    ["compressed_at", { compressed_at: "yesterday" }],
    ["colour", { colour: "red" }],
  ])("names the invalid field: %s", (field, change) => {
    const read = () => decodeContextState({ ...encodeContextState(STATE), ...change });
    expect(read).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", message: expect.stringContaining(field) }),
    );
  });

  it("rejects anything but an object", () => {
    expect(() => decodeContextState("state")).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });
});

const isValid = (name: string) => !name.startsWith("broken");

describe("selectSummarizer (FR-PR-002)", () => {
  it("selects the profile for condensing if it is valid", () => {
    expect(selectSummarizer({ condensing: "cheap", conversation: "main", isValid })).toEqual({
      summarizer: "cheap",
      source: "condensing",
    });
  });

  it("falls back to the conversation's own, with a warning if another was given", () => {
    expect(selectSummarizer({ conversation: "main", isValid })).toEqual({ summarizer: "main", source: "conversation" });
    expect(selectSummarizer({ condensing: "broken", conversation: "main", isValid })).toEqual({
      summarizer: "main",
      source: "conversation",
      warning: expect.stringContaining("cannot be used"),
    });
  });

  it.each([{}, { conversation: "broken" }, { condensing: "broken", conversation: "broken" }])(
    "throws if neither is valid: %o",
    (summarizers) => {
      expect(() => selectSummarizer({ ...summarizers, isValid })).toThrow(
        expect.objectContaining({
          code: "SERVICE_UNAVAILABLE",
          message: "API handler for condensing context is invalid",
        }),
      );
    },
  );
});
