import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { linesIn } from "./lines-in.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "lines.txt");

describe("linesIn", () => {
  it("gives the lines of any text, wherever its chunks are cut", () => {
    const unit = fc.constantFrom("a", "\n", "é", "世", "😀", "\r");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (text, chunkBytes) => {
        writeFileSync(file, text);
        expect([...linesIn(file, chunkBytes)]).toEqual(text.split("\n"));
      }),
    );
  });

  it("says that there is no file", () => {
    expect(() => [...linesIn(join(folder, "none"))]).toThrow("ENOENT");
  });
});
