import {
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import { apply } from "../rewrite/apply.ts";
import { makeTestView } from "../testing/context.ts";
import { shortenOlderTools } from "./shorten-older.ts";

const [shortenResults, cutResults, shortenArguments] = shortenOlderTools(0);

describe("shortenOlderTools", () => {
  it("shortens the oldest results first, and only as many as it must", () => {
    const view = makeTestView(makeAgentLoop(12, 4_000), 9_000);
    expect(shortenResults?.plan(view).map((edit) => "at" in edit && edit.at.message)).toEqual([
      2, 4, 6, 8, 10, 12, 14, 16,
    ]);
  });

  it("cuts the last of them only as far as it must", () => {
    const messages = [
      makeUser("task"),
      makeAssistant(makeToolCall("a")),
      makeUser(makeToolResult("a", "line of a long file\n".repeat(4_000))),
      ...makeAgentLoop(3, 400).messages,
    ];
    const view = makeTestView(makeConversation(messages), 20_000);
    const draft = apply(openDraft(view.conversation), shortenResults?.plan(view) ?? [], {
      answers: [],
      hash: view.hash,
    });
    const tokens = view.counter.countConversation(draft.conversation);
    expect(tokens).toBeLessThanOrEqual(15_000);
    expect(tokens).toBeGreaterThan(14_000);
  });

  it("cuts them further where that is not enough", () => {
    const view = makeTestView(makeAgentLoop(40, 900), 4_000);
    expect(shortenResults?.plan(view)).toEqual([]);
    expect(cutResults?.plan(view)?.length).toBeGreaterThan(20);
  });

  it("shortens arguments last, and leaves them objects", () => {
    const calls = Array.from({ length: 10 }, (_, index) => [
      makeAssistant(makeToolCall(`c${index}`, { input: { path: "a.ts", content: "x".repeat(2_000) } })),
      makeUser(makeToolResult(`c${index}`, "ok")),
    ]).flat();
    const view = makeTestView(makeConversation([makeUser(), ...calls]), 4_000);
    const edits = shortenArguments?.plan(view) ?? [];
    expect(edits.length).toBeGreaterThan(2);
    expect(edits.every((edit) => edit.kind === "splice" && edit.at.path[0] === "content")).toBe(true);
  });
});
