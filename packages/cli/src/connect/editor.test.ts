import { expect, it } from "vitest";
import { indentAt, insertLines, invalidAt, lineBreakOf, lineEnd, lineStart } from "./editor.ts";

it("finds the lines of a text", () => {
  const text = "a\r\n  b\n";
  expect([lineStart(text, 5), lineEnd(text, 5), lineEnd("a", 0), indentAt(text, 5)]).toEqual([3, 7, 1, "  "]);
  expect([lineBreakOf(text), lineBreakOf("a\n"), lineBreakOf("")]).toEqual(["\r\n", "\n", "\n"]);
});

it("ends an open last line before it adds lines", () => {
  expect(insertLines("a\r\nb", 4, ["c", "d"])).toBe("a\r\nb\r\nc\r\nd\r\n");
  expect(insertLines("", 0, ["c"])).toBe("c\n");
});

it("reports the line and column of a fault", () => {
  expect(invalidAt("a\nbc", 3, "valid X").message).toBe("not valid X (line 2, column 2); fix it first");
});
