import { anyText, makeDocument } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64OfText, documentText, mediaTypeOfUrl, textOfBase64 } from "./media.ts";

describe("mediaTypeOfUrl", () => {
  it("uses the file extension", () => {
    expect(mediaTypeOfUrl("https://files.example/a.JPG?size=2")).toBe("image/jpeg");
    expect(mediaTypeOfUrl("https://files.example/plan.pdf#2")).toBe("application/pdf");
    expect(mediaTypeOfUrl("https://files.example/plan")).toBeUndefined();
    expect(mediaTypeOfUrl("https://files.example/a.xyz")).toBeUndefined();
  });
});

it("returns a plain-text document as text, with its title and context first", () => {
  expect(documentText(makeDocument("Body."))).toBe("Body.");
  expect(documentText(makeDocument("Body.", { title: "Plan", context: "Draft." }))).toBe("Plan\nDraft.\n\nBody.");
});

it("decodes its own output and encodes standard base64", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(textOfBase64(base64OfText(text))).toBe(text);
      expect(base64OfText(text)).toBe(Buffer.from(text).toString("base64"));
    }),
  );
});

it("decodes both alphabets", () => {
  const text = "ÿþ~?ÿ>";
  expect(textOfBase64(Buffer.from(text).toString("base64url"))).toBe(text);
});

it("returns undefined for invalid base64", () => {
  expect(textOfBase64("§")).toBeUndefined();
});

it("handles text of any length", () => {
  const text = "世".repeat(300_000);
  expect(textOfBase64(base64OfText(text))).toBe(text);
});
