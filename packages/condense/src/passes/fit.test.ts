import type { Conversation, DocumentBlock, ImageBlock } from "@longhaul/conversation";
import {
  anyConversation,
  anyMessyConversation,
  makeAgentLoop,
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
import type { View } from "../contract/view.ts";
import { planCover } from "../coverage/cover.ts";
import { openDraft } from "../edits/draft.ts";
import { runPasses } from "../engine/run.ts";
import { middleOut } from "../strategies/middle-out.ts";
import { finish, makeContext, makePlan, shortAnswer } from "../testing/context.ts";
import { faultsIn } from "../testing/soundness.ts";
import { fitPasses } from "./fit.ts";

function fit(conversation: Conversation, budgetTokens: number) {
  const context = makeContext(budgetTokens);
  const { result } = finish(
    runPasses(openDraft(conversation), { passes: fitPasses(cover), stopsAtTarget: false }, context),
    shortAnswer,
  );
  const after = result.draft.conversation;
  const applied = result.passes.filter((pass) => pass.outcome === "applied").map((pass) => pass.id);
  return { after, applied, tokens: context.counter.countConversation(after), faults: faultsIn(conversation, after) };
}

const cover = (view: View) => planCover(view, { tail: 0.3, newest: 1, user: 0.25 });

describe("fitPasses", () => {
  it("keep the first user message while anything else can go", () => {
    const turns = Array.from({ length: 30 }, (_, index) => [
      makeAssistant(`${index}`.repeat(80)),
      makeUser("x".repeat(400)),
    ]);
    const { after, tokens } = fit(makeConversation([makeUser("the task"), ...turns.flat(), makeUser("now?")]), 400);
    expect(after.messages[0]).toEqual(makeUser("the task"));
    expect(after.messages.at(-1)).toEqual(makeUser("now?"));
    expect(tokens).toBeLessThanOrEqual(400);
  });

  it("cut the middle out of the first user message if it is too long by itself", () => {
    const task = `Begin. ${"word ".repeat(2_000)} End.`;
    const { after, applied, tokens } = fit(
      makeConversation([makeUser(task), makeAssistant("ok"), makeUser("now?")]),
      600,
    );
    const [block] = after.messages[0]?.blocks ?? [];
    expect(applied.at(-1)).toBe("fit-task");
    expect(block?.type === "text" && block.text).toMatch(/^Begin\. word.*left out.*word {2}End\.$/s);
    expect(tokens).toBeLessThanOrEqual(600);
  });

  it("leave a conversation that fits unchanged", () => {
    const loop = makeAgentLoop(3);
    expect(fit(loop, 10_000)).toMatchObject({ after: loop, applied: [] });
  });

  it("shorten older results first, oldest first, and only as many as needed", () => {
    const loop = makeAgentLoop(10, 4_000);
    const { after, applied, tokens, faults } = fit(loop, 8_000);
    expect({ applied, faults }).toEqual({ applied: ["fit-older-results"], faults: [] });
    expect(tokens).toBeLessThanOrEqual(8_000);
    expect(after.messages.slice(12)).toEqual(loop.messages.slice(12));
    expect(JSON.stringify(after.messages[2])).toContain(" left out]");
  });

  it("continue with arguments, images, answers and whole messages as far as needed", () => {
    const long = "word ".repeat(1_000);
    const conversation = makeConversation([
      makeUser("first task"),
      makeAssistant([long, makeToolCall("a", { input: { path: "x", content: long } })]),
      makeUser([makeToolResult("a", [makeImage()]), makeImage()]),
      makeAssistant(long),
      makeUser(`second task ${long}`),
    ]);
    const { after, applied, tokens, faults } = fit(conversation, 1_400);
    expect(applied).toEqual(["fit-older-arguments", "fit-images", "fit-assistant-text", "fit-older-messages"]);
    expect(faults).toEqual([]);
    expect(tokens).toBeLessThanOrEqual(1_400);
    expect(after.messages.at(-1)).toBe(conversation.messages.at(-1));
  });

  it("keep the most important lines of a long loop, and the task before it", () => {
    const loop = makeAgentLoop(500, 100);
    const { after, applied, tokens, faults } = fit(loop, 2_000);
    expect(applied.at(-1)).toBe("fit-cover");
    expect(tokens).toBeLessThanOrEqual(2_000);
    expect(faults).toEqual([]);
    expect(after.messages[0]).toBe(loop.messages[0]);
    expect(after.messages.at(-1)).toBe(loop.messages.at(-1));
  });

  it("shorten a giant newest result last, keeping its head and tail", () => {
    const lines = Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join("\n");
    const conversation = makeConversation([
      makeUser("task"),
      makeAssistant(makeToolCall("a")),
      makeUser(makeToolResult("a", lines)),
    ]);
    const { after, applied, tokens, faults } = fit(conversation, 3_000);
    expect({ applied, faults }).toEqual({ applied: ["fit-newest-results"], faults: [] });
    expect(tokens).toBeGreaterThan(2_500);
    expect(tokens).toBeLessThanOrEqual(3_000);
    expect(JSON.stringify(after.messages[2])).toMatch(
      /line 0\\n.*\[[\d,]+ lines of src\/main\.ts left out\].*line 4999/s,
    );
  });

  it("keep the newest result whole between the budget and the upstream's limit", () => {
    const loop = makeConversation([makeUser("task"), ...makeAgentLoop(6, 8_000).messages.slice(1, -1)]);
    const context = makeContext(1_000);
    const ladder = { passes: fitPasses(cover), stopsAtTarget: false };
    const left = (limitTokens: number) => {
      const running = runPasses(openDraft(loop), ladder, { ...context, limits: { ...context.limits, limitTokens } });
      const { conversation } = finish(running, shortAnswer).result.draft;
      return { newest: conversation.messages.at(-1), tokens: context.counter.countConversation(conversation) };
    };
    expect(left(4_000).newest).toBe(loop.messages.at(-1));
    expect(left(1_500).newest).not.toEqual(loop.messages.at(-1));
    expect(left(1_500).tokens).toBeLessThanOrEqual(1_500);
  });

  it("cannot fit protected content", () => {
    const conversation = makeConversation([makeUser("word ".repeat(2_000))]);
    expect(fit(conversation, 1_000)).toMatchObject({ after: conversation, applied: [] });
  });
});

const png = (bytes: number) =>
  makeImage({ source: { kind: "base64", mediaType: "image/png", data: "A".repeat(bytes) } });
const pdf = (bytes: number): DocumentBlock => ({
  ...makeDocument(),
  source: { kind: "base64", mediaType: "application/pdf", data: "A".repeat(bytes) },
});

/** A user with an image, a tool that returns a block at each step, and a latest user message with an image. */
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

function fitMedia(conversation: Conversation, media: MediaLimits) {
  const plan = makePlan(middleOut, 1e6);
  return finish(condenseInSteps(conversation, { ...plan, limits: { ...plan.limits, media } }), shortAnswer).result;
}

/** The sizes of the remaining media, in reading order. */
function left({ messages }: Conversation): number[] {
  return messages.flatMap(mediaIn).map(({ block: { source } }) => (source.kind === "base64" ? source.data.length : -1));
}

describe("fitMediaPass", () => {
  it("drops the oldest of too many images even if the tokens fit, and leaves marks", () => {
    const { conversation, report, fits } = fitMedia(showing(png(1), pdf(2), png(3), png(4)), { maxImages: 4 });
    expect(left(conversation)).toEqual([2, 3, 4, 60]);
    expect(conversation.messages[0]?.blocks[1]).toEqual({
      type: "text",
      text: "[image left out: image/png, 50 bytes]",
    });
    expect([fits, report.passes.map(({ id }) => id)]).toEqual([true, ["fit-media"]]);
  });

  it("drops an image that is too large at any position, and no other", () => {
    expect(left(fitMedia(showing(png(100), png(9), png(101)), { maxImageBytes: 99 }).conversation)).toEqual([
      50, 9, 60,
    ]);
  });

  it("drops images and documents, oldest first, if the request has too many bytes", () => {
    const conversation = showing(png(40_000), pdf(30_000), png(20_000));
    expect(left(fitMedia(conversation, { maxBodyBytes: 70_000 }).conversation)).toEqual([30_000, 20_000, 60]);
    expect(left(fitMedia(conversation, { maxBodyBytes: 50_000 }).conversation)).toEqual([20_000, 60]);
  });

  it("keeps the latest user message, and reports that it does not fit", () => {
    const { conversation, fits, misfits } = fitMedia(showing(png(100)), { maxImageBytes: 55 });
    expect([left(conversation), fits]).toEqual([[50, 60], false]);
    expect(misfits).toEqual([{ what: "image-bytes", size: 60, limit: 55, message: 4 }]);
  });

  it("keeps every invariant, and every limit unless the latest user message exceeds it", () => {
    const anyLimits = fc.record(
      { maxImages: fc.nat(3), maxImageBytes: fc.nat(200), maxBodyBytes: fc.integer({ min: 100, max: 9_000 }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anyConversation(), anyMessyConversation()), anyLimits, (before, media) => {
        const { conversation, misfits } = fitMedia(before, media);
        expect(faultsIn(before, conversation)).toEqual([]);
        expect(misfits).toEqual(mediaMisfits(conversation, media));
        const { conversation: again } = fitMedia(conversation, media);
        expect(again).toEqual(conversation);
      }),
    );
  });
});
