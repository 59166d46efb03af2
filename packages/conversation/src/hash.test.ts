import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pureHash } from "./hash.ts";
import { anyBrokenText, anyCharacters, anyText } from "./testing/index.ts";

describe("pureHash", () => {
  it("is the first 128 bits of SHA-256", () => {
    expect(pureHash("")).toBe("e3b0c44298fc1c149afbf4c8996fb924");
    const text = fc.oneof(anyText(), anyBrokenText(), anyCharacters());
    fc.assert(
      fc.property(text, (value) => pureHash(value) === createHash("sha256").update(value).digest("hex").slice(0, 32)),
    );
  });
});
