import { describe, expect, it } from "vitest";
import { readDiff, withoutSign } from "./diff-text.ts";

describe("readDiff", () => {
  it("reads the signed lines of a patch", () => {
    const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n same\n-old line\n+new line\n*** End Patch";
    expect(readDiff(patch)).toEqual({ added: ["new line"], removed: ["old line"] });
  });

  it("reads the signed lines of a unified diff, and not the names of its files", () => {
    const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n same\n-old line\n+new line";
    expect(readDiff(diff)).toEqual({ added: ["new line"], removed: ["old line"] });
  });

  it("reads both sides of each block, without its line number", () => {
    const block = (from: string, to: string) =>
      `<<<<<<< SEARCH\n:start_line:1\n-------\n${from}\n=======\n${to}\n>>>>>>> REPLACE`;
    expect(readDiff(`${block("one", "two\nthree")}\n\n${block("-------", "four")}`)).toMatchObject({
      added: ["two", "three", "four"],
      removed: ["one"],
    });
  });

  it("reads no other text", () => {
    expect(readDiff("- a list\n+ of things")).toBeUndefined();
  });
});

it("takes the sign from a line", () => {
  expect(["+a", "-b", "c", "--- a/a.ts", "--count"].map(withoutSign)).toEqual(["a", "b", "c", "--- a/a.ts", "-count"]);
});
