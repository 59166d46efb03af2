import { anyBase64 } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSignature, tagSignature } from "./signature.ts";

const anyVendor = () => fc.constantFrom("anthropic", "openai", "google", "openrouter", "x-ai");

describe("tagSignature and readSignature", () => {
  it("return a signature to its vendor through any other vendor's format", () => {
    fc.assert(
      fc.property(anyBase64(), anyVendor(), anyVendor(), (signature, vendor, format) => {
        const written = tagSignature({ signature, vendor }, format);
        expect(readSignature(written, format)).toEqual({ signature, vendor });
      }),
    );
  });

  it("write a vendor's own signature without a tag", () => {
    expect(tagSignature({ signature: "c2ln", vendor: "anthropic" }, "anthropic")).toBe("c2ln");
    expect(tagSignature({ signature: "c2ln" }, "anthropic")).toBe("c2ln");
  });

  it("keep base64 decodable: only its letters, and a length that is a multiple of four", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.constantFrom("openai", "google", "xai"), (bytes, vendor) => {
        const signature = Buffer.from(bytes).toString("base64");
        const written = tagSignature({ signature, vendor }, "anthropic") ?? "";
        expect(Buffer.from(written, "base64").toString("base64")).toBe(written);
      }),
    );
  });

  it("treat an empty signature as none", () => {
    expect(readSignature("", "anthropic")).toEqual({});
    expect(readSignature(undefined, "anthropic")).toEqual({});
    expect(tagSignature({ vendor: "google" }, "anthropic")).toBeUndefined();
  });
});
