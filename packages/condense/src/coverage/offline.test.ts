import { makeAgentLoop, makeAssistant, makeImage, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Ask } from "../edits/edit.ts";
import { makeCounter } from "../testing/counter.ts";
import { answerOffline } from "./offline.ts";

const counter = makeCounter();

function answer(fields: Partial<Ask>): string {
  const ask = {
    kind: "ask",
    messages: [],
    instructions: "Sum up.",
    maxTokens: 200,
    expectedTokens: 100,
    ...fields,
  } as const;
  const given = answerOffline(ask, counter);
  return given.kind === "text" ? given.text : given.kind;
}

describe("answerOffline", () => {
  it("answers within the limit of the ask", () => {
    const { messages } = makeAgentLoop(30, 600);
    const text = answer({ messages, maxTokens: 120 });
    expect(counter.countText(text)).toBeLessThanOrEqual(120);
    expect(text).toContain("Read all files.");
  });

  it("takes no more than half of what it stands for", () => {
    const messages = [makeUser("word ".repeat(80)), makeAssistant("word ".repeat(80))];
    expect(counter.countText(answer({ messages }))).toBeLessThanOrEqual(103);
  });

  it("brings an earlier summary up to date", () => {
    const text = answer({
      previous: "The user wants src/a.ts renamed.",
      messages: [makeUser("And src/b.ts too, please."), makeAssistant("Both are done. ".repeat(20))],
    });
    expect(text).toContain("The user wants src/a.ts renamed.");
    expect(text).toContain("And src/b.ts too, please.");
  });

  it("says something even of messages without words", () => {
    expect(answer({ messages: [makeUser(makeImage())] })).toBe("1 messages without words.");
  });
});
