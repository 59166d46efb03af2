import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sourceOfUrl, urlOfSource } from "./block.ts";
import { anyBase64 } from "./testing/index.ts";

describe("sourceOfUrl and urlOfSource", () => {
  it("bring bytes and addresses back", () => {
    fc.assert(
      fc.property(anyBase64(), fc.constantFrom("image/png", "application/pdf"), (data, mediaType) => {
        const source = { kind: "base64" as const, mediaType, data };
        expect(sourceOfUrl(urlOfSource(source) ?? "")).toEqual(source);
      }),
    );
    const address = { kind: "url" as const, url: "https://files.example/a.png" };
    expect(sourceOfUrl(urlOfSource(address) ?? "")).toEqual(address);
  });

  it("take parameters of a data address, and one without base64 for an address", () => {
    expect(sourceOfUrl("data:text/plain;charset=utf-8;base64,QUJD")).toEqual({
      kind: "base64",
      mediaType: "text/plain",
      data: "QUJD",
    });
    expect(sourceOfUrl("data:text/plain,hello")).toEqual({ kind: "url", url: "data:text/plain,hello" });
  });

  it("has no address for a file that a vendor keeps", () => {
    expect(urlOfSource({ kind: "file", id: "file_1" })).toBeUndefined();
  });
});
