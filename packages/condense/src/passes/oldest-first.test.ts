import {
  makeAssistant,
  makeConversation,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { openDraft } from "../edits/draft.ts";
import { apply } from "../rewrite/apply.ts";
import { makeCounter, makeTestView } from "../testing/context.ts";
import { planOldestFirst } from "./oldest-first.ts";
import type { Operation } from "./operations.ts";

const read = (id: string) => [makeAssistant(makeToolCall(id)), makeUser(makeToolResult(id, `${id} `.repeat(400)))];
const SESSION = makeConversation([makeUser("Read."), ...read("aa"), ...read("bb"), ...read("cc"), makeUser("Well?")]);
const { countConversation } = makeCounter();
const TOKENS = countConversation(SESSION);

const suppressResults = ({ level }: Content): Operation => ({ operation: level === "result" ? "suppress" : "keep" });

/** Returns a plan that must save about this many tokens, with the target at three quarters of the budget. */
function plan(savedTokens: number) {
  const view = makeTestView(SESSION, Math.floor((TOKENS - savedTokens) / 0.75));
  return planOldestFirst(view, { operationFor: suppressResults, dropsMedia: () => false });
}

const touched = (edits: ReturnType<typeof plan>) => edits.map((edit) => "at" in edit && edit.at.message);

describe("planOldestFirst", () => {
  it("starts at the oldest message and stops once enough is saved", () => {
    expect(touched(plan(200))).toEqual([2]);
    expect(touched(plan(500))).toEqual([2, 4]);
    expect(touched(plan(TOKENS))).toEqual([2, 4, 6]);
  });

  it("saves the planned amount", () => {
    const edits = plan(500);
    const { conversation } = apply(openDraft(SESSION), edits, { answers: [], hash: String });
    expect(TOKENS - countConversation(conversation)).toBeGreaterThanOrEqual(500);
  });

  it("drops images if requested, only in the processed messages", () => {
    const shot = [makeAssistant(makeToolCall("i")), makeUser(makeToolResult("i", [makeImage()]))];
    const session = makeConversation([...shot, ...SESSION.messages, ...shot]);
    const view = makeTestView(session, Math.floor((countConversation(session) - 200) / 0.75));
    const media = (dropsMedia: (message: number) => boolean) =>
      touched(planOldestFirst(view, { operationFor: suppressResults, dropsMedia }));
    expect(media(() => true)).toEqual([4, 1]);
    expect(media((message) => message > 1)).toEqual([4]);
  });

  it("assumes the maximum length for summaries", () => {
    const view = makeTestView(SESSION, Math.floor((TOKENS - 250) / 0.75));
    const operationFor = ({ level }: Content): Operation =>
      level === "result" ? { operation: "summarize", maxTokens: 100 } : { operation: "keep" };
    expect(touched(planOldestFirst(view, { operationFor, dropsMedia: () => false }))).toEqual([2, 4]);
  });
});
