import { anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { base64OfText, textOfBase64 } from "./base64.ts";

it("reads what it writes, and writes what everybody does", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(textOfBase64(base64OfText(text))).toBe(text);
      expect(base64OfText(text)).toBe(Buffer.from(text).toString("base64"));
    }),
  );
});

it("reads both alphabets", () => {
  const text = "ÿþ~?ÿ>";
  expect(textOfBase64(Buffer.from(text).toString("base64url"))).toBe(text);
});

it("reads nothing where there is no base64", () => {
  expect(textOfBase64("§")).toBeUndefined();
});

it("takes texts of any length", () => {
  const text = "世".repeat(300_000);
  expect(textOfBase64(base64OfText(text))).toBe(text);
});
