import { makeDocument } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { documentText, mediaTypeOfUrl } from "./media.ts";

describe("mediaTypeOfUrl", () => {
  it("goes by the ending", () => {
    expect(mediaTypeOfUrl("https://files.example/a.JPG?size=2")).toBe("image/jpeg");
    expect(mediaTypeOfUrl("https://files.example/plan.pdf#2")).toBe("application/pdf");
    expect(mediaTypeOfUrl("https://files.example/plan")).toBeUndefined();
    expect(mediaTypeOfUrl("https://files.example/a.xyz")).toBeUndefined();
  });
});

it("says a plain-text document in words, with its title and context above", () => {
  expect(documentText(makeDocument("Body."))).toBe("Body.");
  expect(documentText(makeDocument("Body.", { title: "Plan", context: "Draft." }))).toBe("Plan\nDraft.\n\nBody.");
});
