import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sourceOfUrl, urlOfSource } from "./block.ts";
import { anyBase64 } from "./testing/index.ts";

describe("sourceOfUrl and urlOfSource", () => {
  it("round-trip inline bytes and URLs", () => {
    fc.assert(
      fc.property(anyBase64(), fc.constantFrom("image/png", "application/pdf"), (data, mediaType) => {
        const source = { kind: "base64" as const, mediaType, data };
        expect(sourceOfUrl(urlOfSource(source) ?? "")).toEqual(source);
      }),
    );
    const address = { kind: "url" as const, url: "https://files.example/a.png" };
    expect(sourceOfUrl(urlOfSource(address) ?? "")).toEqual(address);
  });

  it("ignore parameters of a data URL, and keep a data URL without base64 as a URL", () => {
    expect(sourceOfUrl("data:text/plain;charset=utf-8;base64,QUJD")).toEqual({
      kind: "base64",
      mediaType: "text/plain",
      data: "QUJD",
    });
    expect(sourceOfUrl("data:text/plain,hello")).toEqual({ kind: "url", url: "data:text/plain,hello" });
  });

  it("return no URL for a file that the vendor stores", () => {
    expect(urlOfSource({ kind: "file", id: "file_1" })).toBeUndefined();
  });
});
