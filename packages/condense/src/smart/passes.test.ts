import {
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeImage,
  makeSystem,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../contract/strategy.ts";
import { openDraft } from "../edits/draft.ts";
import { asksIn } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { makeTestView } from "../testing/context.ts";
import { type IndividualConfig, type Selection, type Summarization, smartSchema } from "./config.ts";
import { candidateOf, mediaCandidates, planBatch, planIndividual, preludeOf, selector, smartPasses } from "./passes.ts";

const LOOP = makeAgentLoop(20, 400);
const { tokens } = makeTestView(LOOP, 100);
const selection = { type: "preserve_recent", keepRecentCount: 2 };
const keep = { operation: "keep" };
const individual = {
  id: "suppress",
  name: "Suppress",
  mode: "individual",
  selection,
  individualConfig: { defaults: { messageText: keep, toolParameters: keep, toolResults: { operation: "suppress" } } },
};

function passesOf(pass: object, prelude: object = { enabled: false }) {
  return smartPasses(parseConfig({ id: "smart", schema: smartSchema }, { losslessPrelude: prelude, passes: [pass] }));
}

const applies = (execution: object, budgetTokens: number) =>
  passesOf({ ...individual, execution })[0]?.applies?.(makeTestView(LOOP, budgetTokens));

describe("smartPasses", () => {
  it("puts the prelude around the passes", () => {
    expect(passesOf(individual, {}).map(({ id }) => id)).toEqual([
      "prelude",
      "terminal-codes",
      "suppress",
      "references",
    ]);
  });

  it("plans a pass by its mode", () => {
    const view = makeTestView(LOOP, 100);
    const reasons = (pass: object) =>
      new Set(
        passesOf(pass)[0]
          ?.plan(view)
          .map(({ reason }) => reason),
      );
    const batch = { id: "b", name: "B", mode: "batch", selection };
    expect(reasons(individual)).toEqual(new Set(["suppress"]));
    expect(reasons({ ...batch, batchConfig: { operation: "summarize" } })).toEqual(new Set(["summarize"]));
    expect(reasons({ ...batch, batchConfig: { operation: "keep" } })).toEqual(new Set());
    expect(reasons({ id: "c", name: "C", mode: "cover" })).toEqual(new Set(["drop"]));
  });

  it("runs a pass only until the target is reached", () => {
    expect([applies({ type: "always" }, 100), applies({ type: "always" }, 2 * tokens)]).toEqual([true, false]);
  });

  it.each([
    ["under the threshold", { tokenThreshold: tokens }, false],
    ["over the threshold", { tokenThreshold: tokens - 1 }, true],
    ["over the share of the window", { windowPercent: 100 }, true],
    ["over one of two", { tokenThreshold: tokens, windowPercent: 100 }, false],
  ])("checks the condition of a conditional pass: %s", (_, condition, isDue) => {
    expect(applies({ type: "conditional", condition }, 100)).toBe(isDue);
  });

  it("rejects an empty condition", () => {
    expect(() => passesOf({ ...individual, execution: { type: "conditional", condition: {} } })).toThrow(
      /set tokenThreshold/,
    );
  });
});

const ids = (
  enabled: boolean,
  deduplicateFileReads: boolean,
  consolidateToolResults: boolean,
  removeObsoleteState: boolean,
) => {
  const { before, after } = preludeOf({
    enabled,
    operations: { deduplicateFileReads, consolidateToolResults, removeObsoleteState },
  });
  const nameOf = ({ id, isTrial }: { id: string; isTrial?: boolean }) => (isTrial === true ? `${id}?` : id);
  return [before.map(nameOf), after.map(nameOf)];
};

describe("preludeOf", () => {
  it("tries references first and applies them last", () => {
    expect(ids(true, true, true, false)).toEqual([["prelude?", "terminal-codes"], ["references"]]);
  });

  it("removes obsolete content permanently, before references are made", () => {
    expect(ids(true, true, true, true)).toEqual([["obsolete-state", "prelude?", "terminal-codes"], ["references"]]);
  });

  it("only consolidates if deduplication is off", () => {
    expect(ids(true, false, true, false)).toEqual([["prelude?", "terminal-codes"], ["consolidate"]]);
  });

  it("has no passes if all options are off", () => {
    expect(ids(true, false, false, false)).toEqual([[], []]);
    expect(ids(false, true, true, true)).toEqual([[], []]);
  });
});

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

interface IndividualFields extends Partial<IndividualConfig["defaults"]> {
  readonly overrides?: IndividualConfig["overrides"];
  readonly preserveUserMessages?: boolean;
  readonly selection?: Selection;
  readonly budgetTokens?: number;
}

function plan({
  overrides = [],
  preserveUserMessages = true,
  selection = ALL,
  budgetTokens = 10,
  ...defaults
}: IndividualFields) {
  const individualConfig = {
    defaults: { messageText: KEEP, toolParameters: KEEP, toolResults: KEEP, ...defaults },
    overrides,
  };
  return planIndividual(makeTestView(SESSION, budgetTokens), { selection, individualConfig, preserveUserMessages });
}

const touched = (fields: IndividualFields) =>
  plan(fields).map((edit) => ("at" in edit ? `${edit.at.message}.${edit.at.block}` : ""));

describe("planIndividual", () => {
  it("applies the operation of each kind of content", () => {
    expect(touched({ messageText: SUPPRESS })).toEqual(["1.0", "3.0"]);
    expect(touched({ toolParameters: SUPPRESS })).toEqual(["1.1", "3.1"]);
    expect(touched({ toolResults: { operation: "truncate", maxLines: 2 } })).toEqual(["2.0"]);
  });

  it("drops images with suppressed results, and keeps them otherwise", () => {
    expect(touched({ toolResults: SUPPRESS })).toEqual(["2.0", "4.0"]);
  });

  it("keeps the user's text, and the first and the latest even if configured otherwise", () => {
    expect(touched({ messageText: SUPPRESS, preserveUserMessages: false })).toEqual(["1.0", "3.0"]);
  });

  it("works only on selected contents", () => {
    expect(touched({ messageText: SUPPRESS, selection: { type: "custom", fromIndex: 2 } })).toEqual(["3.0"]);
  });

  it("applies the operations of an override to its message", () => {
    const overrides = [{ messageIndex: 1, operations: { messageText: KEEP, toolParameters: SUPPRESS } }];
    expect(touched({ messageText: SUPPRESS, overrides })).toEqual(["1.1", "3.0"]);
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
    expect(messages[2]).toEqual(makeUser(makeToolResult("a", "[Summary of 20 lines: summary 1]")));
    expect(messages.map(({ role }) => role)).toEqual(SESSION.messages.map(({ role }) => role));
  });

  it("stops at the target, oldest first", () => {
    const { tokens } = makeTestView(SESSION, 10);
    const enough = Math.ceil((tokens - 80) / 0.75);
    expect(touched({ messageText: SUPPRESS, budgetTokens: enough })).toEqual(["1.0"]);
  });
});

const step = (id: string) => [
  makeAssistant([`Step ${id}.`, makeToolCall(id, { name: "bash", input: { command: id } })]),
  makeUser(makeToolResult(id, `Output of ${id}.`)),
];
const CHAT = makeConversation([
  makeUser("The task."),
  ...step("a"),
  ...step("b"),
  makeUser("Never touch the tests."),
  ...step("c"),
  makeAssistant("Done."),
  makeUser("Next?"),
]);

interface BatchFields extends Partial<Summarization> {
  readonly selection?: Selection;
  readonly preserveUserMessages?: boolean;
}

function run(conversation = CHAT, { selection, preserveUserMessages = true, ...fields }: BatchFields = {}) {
  const edits = planBatch(makeTestView(conversation, 400), {
    selection: selection ?? { type: "preserve_recent", keepRecentCount: 2 },
    summarization: { profile: "", prompt: "", maxTokens: 400, keepFirst: 1, keepLast: 0, ...fields },
    preserveUserMessages,
  });
  const asks = asksIn(edits);
  const answers = asks.map(() => ({ kind: "text" as const, text: "so far" }));
  return { asks, messages: apply(openDraft(conversation), edits, { answers, hash: String }).conversation.messages };
}

const SUMMARY = makeSystem("[Earlier conversation summary: so far]");
const at = (...indexes: number[]) => indexes.map((index) => CHAT.messages[index]);

describe("planBatch", () => {
  it("replaces all selected messages with one summary, after the user's messages", () => {
    const { asks, messages } = run();
    expect(messages).toEqual([...at(0, 5), SUMMARY, ...at(8, 9)]);
    expect(asks).toHaveLength(1);
  });

  it("shows the user's messages between them to the summarizer", () => {
    expect(run().asks[0]?.messages).toEqual(CHAT.messages.slice(1, 8));
  });

  it("includes the user's messages if configured, but never the latest", () => {
    expect(run(CHAT, { preserveUserMessages: false }).messages).toEqual([...at(0), SUMMARY, ...at(8, 9)]);
    const all = { selection: { type: "preserve_recent", keepRecentCount: 0 } } as const;
    expect(run(CHAT, { ...all, preserveUserMessages: false }).messages).toEqual([...at(0), SUMMARY, ...at(9)]);
  });

  it("keeps the first and the last of the selected messages, and never splits a tool pair", () => {
    const { messages } = run(CHAT, { keepFirst: 2, keepLast: 1 });
    expect(messages).toEqual([...at(0, 1, 2), SUMMARY, ...at(5, 6, 7, 8, 9)]);
  });

  it("keeps messages that are not selected", () => {
    const { messages } = run(CHAT, { keepFirst: 0, selection: { type: "custom", fromIndex: 3, toIndex: 7 } });
    expect(messages).toEqual([...at(0, 1, 2, 5), SUMMARY, ...at(8, 9)]);
  });

  it("includes messages with only reasoning", () => {
    const session = makeConversation([
      makeUser("The task."),
      makeAssistant(makeThinking()),
      ...step("a"),
      makeUser("Next?"),
    ]);
    expect(run(session, { selection: { type: "preserve_recent", keepRecentCount: 1 } }).messages).toEqual([
      makeUser("The task."),
      SUMMARY,
      makeUser("Next?"),
    ]);
  });

  it("passes the profile and the configured prompt on", () => {
    const { asks } = run(CHAT, { profile: "cheap", prompt: "Names only.", maxTokens: 60 });
    expect(asks).toMatchObject([
      { profile: "cheap", maxTokens: 60, instructions: expect.stringMatching(/^Names only\./) },
    ]);
  });

  it("updates its earlier summary, and asks nothing if there are no new messages", () => {
    const first = run().messages;
    const same = makeConversation([...first]);
    expect(run(same).asks).toEqual([]);
    const longer = makeConversation([...first, ...step("d"), makeAssistant("Done."), makeUser("And?")]);
    expect(run(longer).asks).toMatchObject([{ previous: "so far" }]);
  });
});

const MIXED_SESSION = makeConversation([
  makeUser("Find the bug."),
  makeAssistant(["Looking.", makeToolCall("a", { name: "grep", input: { query: "bug" } })]),
  makeUser(makeToolResult("a", "src/a.ts: bug")),
  makeAssistant([makeToolCall("b", { name: "bash", input: { command: "npm test" } })]),
  makeUser(makeToolResult("b", "1 failed", { isError: true })),
  makeAssistant([makeToolCall("c", { name: "screenshot" })]),
  makeUser(makeToolResult("c", [makeImage()])),
  makeAssistant("It is in src/a.ts."),
]);

const view = makeTestView(MIXED_SESSION, 1000);

/** Returns what a selection picks, as `message level`. */
function picked(selection: Selection): string[] {
  return view
    .contents()
    .contents.map(candidateOf)
    .filter(selector(view, selection))
    .map(({ message, level }) => `${message} ${level}`);
}

describe("selector", () => {
  it("skips the newest messages", () => {
    expect(picked({ type: "preserve_recent", keepRecentCount: 6 })).toEqual(["0 text", "1 text", "1 parameters"]);
    expect(picked({ type: "preserve_recent", keepRecentCount: 99 })).toEqual([]);
  });

  it("skips a share of the messages, rounded up", () => {
    expect(picked({ type: "preserve_percent", keepPercentage: 80 })).toEqual(["0 text"]);
    expect(picked({ type: "preserve_percent", keepPercentage: 100 })).toEqual([]);
    expect(picked({ type: "preserve_percent", keepPercentage: 0 })).toHaveLength(view.contents().contents.length);
  });

  it.each<[string, Partial<Extract<Selection, { type: "custom" }>>, string[]]>([
    ["role", { roles: ["user"], contentTypes: ["messageText"] }, ["0 text"]],
    ["kind of content", { contentTypes: ["toolParameters"], toIndex: 3 }, ["1 parameters", "3 parameters"]],
    ["tool", { toolNames: ["grep"] }, ["1 parameters", "2 result"]],
    ["failure", { errors: "only" }, ["4 result"]],
    ["success", { errors: "none", toolNames: ["bash"] }, ["3 parameters"]],
    ["size", { minChars: 8, maxChars: 8, errors: "only" }, ["4 result"]],
    ["size", { minChars: 14 }, ["7 text"]],
    ["age", { minAge: 5, maxAge: 6 }, ["1 text", "1 parameters", "2 result"]],
    ["index", { fromIndex: 4, toIndex: 4 }, ["4 result"]],
    ["several conditions at once", { roles: ["assistant"], contentTypes: ["messageText"], minAge: 1 }, ["1 text"]],
  ])("selects by %s", (_, conditions, expected) => {
    expect(picked({ type: "custom", ...conditions })).toEqual(expected);
  });
});

describe("mediaCandidates", () => {
  it("finds images in results, with their tool", () => {
    expect(mediaCandidates(view)).toMatchObject([{ message: 6, block: 0, level: "result", toolName: "screenshot" }]);
  });
});
