import { expect, it } from "vitest";
import { styleOf } from "../terminal/style.ts";
import { diff } from "./diff.ts";

const plain = styleOf({ hasColours: false });
const numbers = Array.from({ length: 12 }, (_, index) => `line ${index}`);

it("shows what changes, with two lines around it", () => {
  const after = numbers.with(5, "other").concat("more");
  expect(diff(`${numbers.join("\n")}\n`, `${after.join("\n")}\n`, plain)).toBe(
    [
      "  line 3",
      "  line 4",
      "- line 5",
      "+ other",
      "  line 6",
      "  line 7",
      "  …",
      "  line 10",
      "  line 11",
      "+ more",
      "",
    ].join("\n"),
  );
});

it("shows a text that is made or removed as a whole", () => {
  expect(diff("", "a\nb\n", plain)).toBe("+ a\n+ b\n");
  expect(diff("a\n", "", plain)).toBe("- a\n");
  expect(diff("a\n", "a\n", plain)).toBe("");
});

it("is painted where somebody looks", () => {
  expect(diff("", "a\n", styleOf({ hasColours: true }))).toBe("\u001b[32m+ a\u001b[39m\n");
});
