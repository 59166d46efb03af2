import { makeDocument, makeImage, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { findModel, loadCatalog } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { bytesOf, formatBytes, longestSideOf, mediaIn, mediaLimitsOf, mediaMark } from "./media.ts";

const png = (data: string) => makeImage({ source: { kind: "base64", mediaType: "image/png", data } });
const linked = makeImage({ source: { kind: "url", url: "https://example.com/secret.png" } });

describe("mediaLimitsOf", () => {
  it("returns the catalog's limits of a model", async () => {
    const catalog = await loadCatalog();
    const limits = (platform: string) => mediaLimitsOf(findModel(catalog, "claude-haiku-4-5", platform).model);
    const MEGABYTE = 2 ** 20;
    expect(limits("anthropic")).toEqual({
      maxImages: 100,
      maxImageBytes: 5 * MEGABYTE,
      maxImageSide: 8_000,
      maxBodyBytes: 32 * MEGABYTE,
    });
    expect(limits("vertex").maxBodyBytes).toBe(30 * MEGABYTE);
  });

  it("omits unknown limits", () => {
    expect(mediaLimitsOf({ images: { supported: true } })).toEqual({});
  });
});

describe("mediaIn", () => {
  it("finds images from the user and inside tool results", () => {
    const message = makeUser(["Look:", makeImage(), makeToolResult("a", [makeDocument("text"), makeImage()])]);
    expect(mediaIn(message, 7).map(({ at, block }) => [at, block.type])).toEqual([
      [{ message: 7, block: 1, path: [] }, "image"],
      [{ message: 7, block: 2, path: [0] }, "document"],
      [{ message: 7, block: 2, path: [1] }, "image"],
    ]);
  });
});

describe("sizes", () => {
  it("measure the request, not the file", () => {
    expect([bytesOf(png("abcd")), bytesOf(makeDocument("text")), bytesOf(linked)]).toEqual([4, 4, 0]);
    expect([longestSideOf(makeImage()), longestSideOf(linked), longestSideOf(png("abcd"))]).toEqual([1, 0, 0]);
    expect([999, 1_500, 2_340_000].map(formatBytes)).toEqual(["999 bytes", "2 KB", "2.3 MB"]);
  });
});

describe("mediaMark", () => {
  it("names the type and the size, and nothing of the content", () => {
    const data = "A".repeat(1_234_000);
    expect(mediaMark({ block: png(data) })).toBe("[image left out: image/png, 1.2 MB]");
    expect(mediaMark({ block: linked })).toBe("[image left out]");
    const titled = makeDocument("a secret", { title: "a secret" });
    expect(mediaMark({ block: titled })).toBe("[document left out: text/plain, 8 bytes]");
  });
});
