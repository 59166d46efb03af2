import type { Conversation } from "@longhaul/conversation";
import { anyConversation, makeConversation, makeImage, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyBytes, describeMisfit, mediaMisfits, tokenMisfits } from "./misfits.ts";

const png = (bytes: number) =>
  makeImage({ source: { kind: "base64", mediaType: "image/png", data: "A".repeat(bytes) } });
const conversation = makeConversation([makeUser([png(100), "Look."]), makeUser([png(5_000), makeImage()])]);

describe("tokenMisfits", () => {
  it("uses the limit, or the budget if there is no separate limit", () => {
    const limits = { windowTokens: 300, budgetTokens: 100, targetTokens: 50 };
    const misfit = { what: "tokens", size: 201 } as const;
    expect([tokenMisfits(100, limits), tokenMisfits(201, limits)]).toEqual([[], [{ ...misfit, limit: 100 }]]);
    const roomy = { ...limits, limitTokens: 200 };
    expect([tokenMisfits(200, roomy), tokenMisfits(201, roomy)]).toEqual([[], [{ ...misfit, limit: 200 }]]);
  });
});

describe("mediaMisfits", () => {
  it("returns nothing without limits or below them", () => {
    expect(mediaMisfits(conversation, {})).toEqual([]);
    expect(
      mediaMisfits(conversation, { maxImages: 3, maxImageBytes: 5_000, maxImageSide: 1, maxBodyBytes: 9_000 }),
    ).toEqual([]);
  });

  it("returns each violation with its size and limit", () => {
    const [image, images, body] = mediaMisfits(conversation, {
      maxImages: 2,
      maxImageBytes: 4_999,
      maxBodyBytes: 5_000,
    });
    expect(image).toEqual({ what: "image-bytes", size: 5_000, limit: 4_999, message: 1 });
    expect(images).toEqual({ what: "images", size: 3, limit: 2 });
    expect(body).toMatchObject({ what: "body-bytes", limit: 5_000 });
    expect(mediaMisfits(makeConversation([makeUser(makeImage())]), { maxImageSide: 0.5 })).toEqual([
      { what: "image-side", size: 1, limit: 0.5, message: 0 },
    ]);
  });
});

describe("describeMisfit", () => {
  it.each([
    [{ what: "tokens", size: 210, limit: 200 }, "the request has 210 tokens, 10 over the limit of 200"],
    [{ what: "images", size: 3, limit: 2 }, "the request has 3 images; the model accepts at most 2"],
    [
      { what: "image-bytes", size: 6_200_000, limit: 5_000_000, message: 11 },
      "message 12 has an image of 6.2 MB; the model accepts at most 5.0 MB",
    ],
    [
      { what: "image-side", size: 9_000, limit: 8_000, message: 0 },
      "message 1 has an image with a side of 9000 pixels; the model accepts at most 8000 pixels",
    ],
    [{ what: "body-bytes", size: 33e6, limit: 32e6 }, "the request has 33.0 MB; the model accepts at most 32.0 MB"],
  ] as const)("describes %j", (misfit, words) => {
    expect(describeMisfit(misfit)).toBe(words);
  });
});

const jsonBytes = (conversation: Conversation) => Buffer.byteLength(JSON.stringify(conversation));

describe("bodyBytes", () => {
  it("is close to the JSON length for long texts and images", () => {
    const texts = ["plain words\n".repeat(9_000), "語".repeat(40_000), '🙂é"\\\u0001'.repeat(20_000)];
    const image = makeImage({ source: { kind: "base64", mediaType: "image/png", data: "A".repeat(300_000) } });
    for (const conversation of [...texts.map((text) => [makeUser(text)]), [makeUser(image)]].map((all) =>
      makeConversation(all),
    )) {
      expect(bodyBytes(conversation) / jsonBytes(conversation)).toBeCloseTo(1, 3);
    }
  });

  it("counts every part of a conversation", () => {
    fc.assert(
      fc.property(anyConversation(), (conversation) => {
        const blocks = conversation.messages.reduce((sum, message) => sum + message.blocks.length, 1);
        expect(bodyBytes(conversation)).toBeGreaterThan(jsonBytes(conversation) * 0.4);
        expect(bodyBytes(conversation)).toBeLessThan(jsonBytes(conversation) + blocks * 200);
      }),
    );
  });
});
