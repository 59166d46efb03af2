import type { Conversation, DocumentBlock, ImageBlock } from "@longhaul/conversation";
import {
  anyConversation,
  anyMessyConversation,
  makeAssistant,
  makeConversation,
  makeDocument,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mediaMisfits } from "../budget/misfits.ts";
import { condenseInSteps } from "../condense-in-steps.ts";
import { type MediaLimits, mediaIn } from "../content/media.ts";
import { middleOut } from "../strategies/middle-out.ts";
import { finish, makePlan, shortAnswer } from "../testing/context.ts";
import { faultsIn } from "../testing/soundness.ts";

const png = (bytes: number) =>
  makeImage({ source: { kind: "base64", mediaType: "image/png", data: "A".repeat(bytes) } });
const pdf = (bytes: number): DocumentBlock => ({
  ...makeDocument(),
  source: { kind: "base64", mediaType: "application/pdf", data: "A".repeat(bytes) },
});

/** A user who shows something, a tool that does so at each step, and the user's latest words with a picture. */
function showing(...shown: readonly (ImageBlock | DocumentBlock)[]): Conversation {
  const steps = shown.flatMap((block, step) => [
    makeAssistant(makeToolCall(`c${step}`)),
    makeUser(makeToolResult(`c${step}`, [block])),
  ]);
  return makeConversation([
    makeUser(["First.", png(50)]),
    ...steps,
    makeAssistant("Seen."),
    makeUser(["Now?", png(60)]),
  ]);
}

function fit(conversation: Conversation, media: MediaLimits) {
  const plan = makePlan(middleOut, 1e6);
  return finish(condenseInSteps(conversation, { ...plan, limits: { ...plan.limits, media } }), shortAnswer).result;
}

/** The sizes of what is left, in reading order. */
function left({ messages }: Conversation): number[] {
  return messages.flatMap(mediaIn).map(({ block: { source } }) => (source.kind === "base64" ? source.data.length : -1));
}

describe("fitMediaPass", () => {
  it("drops the oldest of too many images, although the tokens fit, and says what they were", () => {
    const { conversation, report, fits } = fit(showing(png(1), pdf(2), png(3), png(4)), { maxImages: 4 });
    expect(left(conversation)).toEqual([2, 3, 4, 60]);
    expect(conversation.messages[0]?.blocks[1]).toEqual({
      type: "text",
      text: "⟨ image removed to fit: image/png, 50 bytes, message #1 ⟩",
    });
    expect([fits, report.passes.map(({ id }) => id)]).toEqual([true, ["fit-media"]]);
  });

  it("drops an image that is too large wherever it is, and no other", () => {
    expect(left(fit(showing(png(100), png(9), png(101)), { maxImageBytes: 99 }).conversation)).toEqual([50, 9, 60]);
  });

  it("drops images and documents, oldest first, where the request has too many bytes", () => {
    const conversation = showing(png(40_000), pdf(30_000), png(20_000));
    expect(left(fit(conversation, { maxBodyBytes: 70_000 }).conversation)).toEqual([30_000, 20_000, 60]);
    expect(left(fit(conversation, { maxBodyBytes: 50_000 }).conversation)).toEqual([20_000, 60]);
  });

  it("leaves the latest user message alone, and says that it does not fit", () => {
    const { conversation, fits, misfits } = fit(showing(png(100)), { maxImageBytes: 55 });
    expect([left(conversation), fits]).toEqual([[50, 60], false]);
    expect(misfits).toEqual([{ what: "image-bytes", size: 60, limit: 55, message: 4 }]);
  });

  it("keeps every rule, and every limit that the latest words leave room for", () => {
    const anyLimits = fc.record(
      { maxImages: fc.nat(3), maxImageBytes: fc.nat(200), maxBodyBytes: fc.integer({ min: 100, max: 9_000 }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anyConversation(), anyMessyConversation()), anyLimits, (before, media) => {
        const { conversation, misfits } = fit(before, media);
        expect(faultsIn(before, conversation)).toEqual([]);
        expect(misfits).toEqual(mediaMisfits(conversation, media));
        const { conversation: again } = fit(conversation, media);
        expect(again).toEqual(conversation);
      }),
    );
  });
});
