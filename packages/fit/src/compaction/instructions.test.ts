import { expect, it } from "vitest";
import { COMPACTION_INSTRUCTIONS } from "./instructions.ts";

it("asks for the user's latest message word for word, before anything else", () => {
  expect(COMPACTION_INSTRUCTIONS).toMatch(/^Write a summary of .*\n\n1\. .*user's latest message word for word/);
});

it("keeps the tags that the API's own instructions ask for", () => {
  expect(COMPACTION_INSTRUCTIONS).toContain("<summary></summary>");
});
