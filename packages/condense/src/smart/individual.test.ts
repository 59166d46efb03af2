import {
  makeAssistant,
  makeConversation,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import { asksIn } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { makeTestView } from "../testing/context.ts";
import { planIndividual } from "./individual.ts";
import type { IndividualConfig, Selection } from "./pass-schema.ts";

const LONG = Array.from({ length: 20 }, (_, line) => `line ${line} of what was said`).join("\n");
const SESSION = makeConversation([
  makeUser(`First. ${LONG}`),
  makeAssistant([LONG, makeToolCall("a", { input: { path: "src/a.ts", content: LONG } })]),
  makeUser(makeToolResult("a", LONG)),
  makeAssistant([LONG, makeToolCall("b", { input: { path: "src/b.ts", content: LONG } })]),
  makeUser(makeToolResult("b", [makeImage()])),
  makeUser(`Last. ${LONG}`),
]);

const KEEP = { operation: "keep" } as const;
const SUPPRESS = { operation: "suppress" } as const;
const ALL: Selection = { type: "preserve_recent", keepRecentCount: 0 };

interface Wish extends Partial<IndividualConfig["defaults"]> {
  readonly overrides?: IndividualConfig["overrides"];
  readonly preserveUserMessages?: boolean;
  readonly selection?: Selection;
  readonly budgetTokens?: number;
}

function plan({ overrides = [], preserveUserMessages = true, selection = ALL, budgetTokens = 10, ...defaults }: Wish) {
  const individualConfig = {
    defaults: { messageText: KEEP, toolParameters: KEEP, toolResults: KEEP, ...defaults },
    overrides,
  };
  return planIndividual(makeTestView(SESSION, budgetTokens), { selection, individualConfig, preserveUserMessages });
}

const touched = (wish: Wish) => plan(wish).map((edit) => ("at" in edit ? `${edit.at.message}.${edit.at.block}` : ""));

describe("planIndividual", () => {
  it("has an operation for each kind of content", () => {
    expect(touched({ messageText: SUPPRESS })).toEqual(["1.0", "3.0"]);
    expect(touched({ toolParameters: SUPPRESS })).toEqual(["1.1", "3.1"]);
    expect(touched({ toolResults: { operation: "truncate", maxLines: 2 } })).toEqual(["2.0"]);
  });

  it("drops images with suppressed results, and keeps them otherwise", () => {
    expect(touched({ toolResults: SUPPRESS })).toEqual(["2.0", "4.0"]);
  });

  it("leaves the user's words alone, and the latest even where it is told not to", () => {
    expect(touched({ messageText: SUPPRESS, preserveUserMessages: false })).toEqual(["0.0", "1.0", "3.0"]);
  });

  it("works on what is selected alone", () => {
    expect(touched({ messageText: SUPPRESS, selection: { type: "custom", fromIndex: 2 } })).toEqual(["3.0"]);
  });

  it("does something else with a message that an override names", () => {
    const overrides = [{ messageIndex: 1, operations: { messageText: KEEP, toolParameters: SUPPRESS } }];
    expect(touched({ messageText: SUPPRESS, overrides })).toEqual(["3.0", "1.1"]);
  });

  it("asks for all summaries of a pass at once", () => {
    const edits = plan({
      messageText: { operation: "summarize", maxTokens: 20, profile: "cheap" },
      toolResults: { operation: "summarize", maxTokens: 30, prompt: "Names only." },
    });
    const asks = asksIn(edits);
    expect(asks).toMatchObject([
      { maxTokens: 20, profile: "cheap" },
      { maxTokens: 30, instructions: expect.stringMatching(/^Names only\./) },
      { maxTokens: 20, profile: "cheap" },
    ]);
    const answers = asks.map((_, index) => ({ kind: "text" as const, text: `summary ${index}` }));
    const { messages } = apply(openDraft(SESSION), edits, { answers, hash: String }).conversation;
    expect(messages[2]).toEqual(makeUser(makeToolResult("a", "⟨ Summarized ⟩ summary 1")));
    expect(messages.map(({ role }) => role)).toEqual(SESSION.messages.map(({ role }) => role));
  });

  it("goes no further than the target, oldest first", () => {
    const { tokens } = makeTestView(SESSION, 10);
    const enough = Math.ceil((tokens - 80) / 0.75);
    expect(touched({ messageText: SUPPRESS, budgetTokens: enough })).toEqual(["1.0"]);
  });
});
