import type { Conversation } from "@longhaul/conversation";
import {
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import { runPasses } from "../engine/run.ts";
import { finish, makeContext, shortAnswer } from "../testing/context.ts";
import { faultsIn } from "../testing/soundness.ts";
import { fitPasses } from "./fit.ts";

function fit(conversation: Conversation, budgetTokens: number) {
  const context = makeContext(budgetTokens);
  const { result } = finish(
    runPasses(openDraft(conversation), { passes: fitPasses, stopsAtTarget: false }, context),
    shortAnswer,
  );
  const after = result.draft.conversation;
  const applied = result.passes.filter((pass) => pass.outcome === "applied").map((pass) => pass.id);
  return { after, applied, tokens: context.counter.countConversation(after), faults: faultsIn(conversation, after) };
}

describe("the fitting ladder", () => {
  it("leaves alone what fits", () => {
    const loop = makeAgentLoop(3);
    expect(fit(loop, 10_000)).toMatchObject({ after: loop, applied: [] });
  });

  it("shortens older results first, oldest first, and no more of them than it must", () => {
    const loop = makeAgentLoop(10, 4_000);
    const { after, applied, tokens, faults } = fit(loop, 8_000);
    expect({ applied, faults }).toEqual({ applied: ["fit-older-results"], faults: [] });
    expect(tokens).toBeLessThanOrEqual(8_000);
    expect(after.messages.slice(12)).toEqual(loop.messages.slice(12));
    expect(JSON.stringify(after.messages[2])).toContain("⟨ ... truncated: ");
  });

  it("goes on to arguments, images, answers and whole messages as far as it must", () => {
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

  it("drops the oldest steps of an endless loop, but not the task before it", () => {
    const loop = makeAgentLoop(500, 100);
    const { after, applied, tokens, faults } = fit(loop, 2_000);
    expect(applied.at(-1)).toBe("fit-older-steps");
    expect(tokens).toBeLessThanOrEqual(2_000);
    expect(faults).toEqual([]);
    expect(after.messages[0]).toBe(loop.messages[0]);
    expect(JSON.stringify(after.messages[1])).toMatch(/⟨ \d+ earlier messages removed/);
    expect(after.messages.at(-1)).toBe(loop.messages.at(-1));
  });

  it("shortens a giant newest result as the last resort, keeping its head and its tail", () => {
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
    expect(JSON.stringify(after.messages[2])).toMatch(/line 0\\n.*truncated: \d+ lines, \d+ characters.*line 4999/s);
  });

  it("leaves the newest result whole between the budget and what the upstream takes", () => {
    const loop = makeConversation([makeUser("task"), ...makeAgentLoop(6, 8_000).messages.slice(1, -1)]);
    const context = makeContext(1_000);
    const ladder = { passes: fitPasses, stopsAtTarget: false };
    const left = (limitTokens: number) => {
      const running = runPasses(openDraft(loop), ladder, { ...context, limits: { ...context.limits, limitTokens } });
      const { conversation } = finish(running, shortAnswer).result.draft;
      return { newest: conversation.messages.at(-1), tokens: context.counter.countConversation(conversation) };
    };
    expect(left(4_000).newest).toBe(loop.messages.at(-1));
    expect(left(1_500).newest).not.toEqual(loop.messages.at(-1));
    expect(left(1_500).tokens).toBeLessThanOrEqual(1_500);
  });

  it("cannot fit what is protected", () => {
    const conversation = makeConversation([makeUser("word ".repeat(2_000))]);
    expect(fit(conversation, 1_000)).toMatchObject({ after: conversation, applied: [] });
  });
});
