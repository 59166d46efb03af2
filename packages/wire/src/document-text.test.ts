import { makeDocument } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { documentText } from "./document-text.ts";

it("says a plain-text document in words, with its title and context above", () => {
  expect(documentText(makeDocument("Body."))).toBe("Body.");
  expect(documentText(makeDocument("Body.", { title: "Plan", context: "Draft." }))).toBe("Plan\nDraft.\n\nBody.");
});
