import { describe, expect, it } from "vitest";
import { selectSummarizer } from "./select-summarizer.ts";

const isValid = (name: string) => !name.startsWith("broken");

describe("selectSummarizer (FR-PR-002)", () => {
  it("takes the profile for condensing where it is valid", () => {
    expect(selectSummarizer({ condensing: "cheap", conversation: "main", isValid })).toEqual({
      summarizer: "cheap",
      source: "condensing",
    });
  });

  it("falls back to the conversation's own, and says so where another was named", () => {
    expect(selectSummarizer({ conversation: "main", isValid })).toEqual({ summarizer: "main", source: "conversation" });
    expect(selectSummarizer({ condensing: "broken", conversation: "main", isValid })).toEqual({
      summarizer: "main",
      source: "conversation",
      warning: expect.stringContaining("cannot be used"),
    });
  });

  it.each([{}, { conversation: "broken" }, { condensing: "broken", conversation: "broken" }])(
    "names the fault where neither is valid: %o",
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
