import { expect, it } from "vitest";
import { withBetween } from "../../scripts/schema-pages.ts";

const MARKS = ["<!-- from -->", "<!-- to -->"] as const;

it("puts a text between two marks, and leaves the rest of the page as it is", () => {
  const page = "before\n<!-- to --> <!-- from -->\nold\n<!-- to -->\nafter <!-- to -->\n";
  const written = withBetween(page, MARKS, "new");
  expect(written).toBe("before\n<!-- to --> <!-- from -->\n\nnew\n\n<!-- to -->\nafter <!-- to -->\n");
  expect(withBetween(written, MARKS, "new")).toBe(written);
});

it.each(["", "<!-- from -->", "<!-- to -->", "<!-- to --> <!-- from -->"])("refuses the page %j", (page) => {
  expect(() => withBetween(page, MARKS, "new")).toThrow('lacks "<!-- from -->" followed by "<!-- to -->"');
});
