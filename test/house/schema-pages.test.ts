import { expect, it } from "vitest";
import { withBetween } from "../../scripts/schema-pages.ts";

const MARKS = ["<!-- from -->", "<!-- to -->"] as const;

it("replaces the text between two marks, and keeps the rest of the page", () => {
  const page = "before\n<!-- to --> <!-- from -->\nold\n<!-- to -->\nafter <!-- to -->\n";
  const written = withBetween(page, MARKS, "new");
  expect(written).toBe("before\n<!-- to --> <!-- from -->\n\nnew\n\n<!-- to -->\nafter <!-- to -->\n");
  expect(withBetween(written, MARKS, "new")).toBe(written);
});

it.each(["", "<!-- from -->", "<!-- to -->", "<!-- to --> <!-- from -->"])("rejects the page %j", (page) => {
  expect(() => withBetween(page, MARKS, "new")).toThrow('lacks "<!-- from -->" followed by "<!-- to -->"');
});
