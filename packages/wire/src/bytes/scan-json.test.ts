import fc from "fast-check";
import { expect, it } from "vitest";
import { skipString } from "./scan-json.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

it("finds the end of any string, at any offset and with any bytes after it", () => {
  const unit = fc.constantFrom(
    "a",
    '"',
    "\\",
    "\n",
    "é",
    "漢",
    "#",
    "!",
    "\u0001",
    "word ".repeat(15),
    "x".repeat(600),
  );
  fc.assert(
    fc.property(fc.array(unit), fc.nat(9), fc.nat(9), (units, before, after) => {
      const written = JSON.stringify(units.join(""));
      const bytes = bytesOf(`${" ".repeat(before)}${written}${'"'.repeat(after)}`);
      expect(skipString(bytes, before)).toBe(before + bytesOf(written).length);
    }),
  );
});

it.each(["", "a".repeat(1_000), `${'\\"'.repeat(100)}`, "\\"])("returns -1 for a string that does not end", (open) => {
  expect(skipString(bytesOf(`"${open}`), 0)).toBe(-1);
});
