import fc from "fast-check";
import { expect, it } from "vitest";
import { toBase64 } from "./to-base64.ts";

it("spells bytes as everybody does", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    }),
    { numRuns: 20 },
  );
});
