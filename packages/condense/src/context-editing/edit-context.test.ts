import {
  type Block,
  type ClearToolUses,
  type Compact,
  type ContextEdit,
  type ContextEdits,
  type Conversation,
  pureHash as hash,
  type Position,
  type ToolPair,
  toolPairs,
} from "@longhaul/conversation/advanced";
import {
  anyConversation,
  makeAgentLoop,
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUsage,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer, Ask } from "../edits/edit.ts";
import { project } from "../rewrite/projection.ts";
import { anySession } from "../testing/any-session.ts";
import { finish, makeCounter, shortAnswer } from "../testing/context.ts";
import { faultsIn } from "../testing/soundness.ts";
import { CLEARED } from "./clear.ts";
import { hasSummary, summaryOf } from "./compaction.ts";
import { contextEditingPasses, editContext, editContextInSteps } from "./edit-context.ts";

const counter = makeCounter();

function edited(conversation: Conversation, edits: ContextEdits, answer: (ask: Ask) => Answer = shortAnswer) {
  const { result, asks } = finish(editContextInSteps(conversation, edits, { counter, hash }), answer);
  return { ...result, asks };
}

const clearTools = (fields: Partial<ClearToolUses> = {}): ClearToolUses => ({
  kind: "clear-tool-uses",
  trigger: { unit: "tool-uses", over: 1 },
  keepToolUses: 3,
  clearAtLeastTokens: 0,
  excludeTools: [],
  clearInputs: false,
  ...fields,
});

const compact = (fields: Partial<Compact> = {}): Compact => ({
  kind: "compact",
  overTokens: 100,
  pausesAfter: false,
  ...fields,
});

/** Ten turns, each with thinking, a call of its own tool and an answer. */
const NAMES = ["read", "search", "memory"];
const WORK = makeConversation(
  Array.from({ length: 10 }, (_, turn) => {
    const name = NAMES[turn % NAMES.length] ?? "";
    return [
      makeUser(`Do step ${turn}.`),
      makeAssistant([
        makeThinking(`I think about step ${turn} for a while. `.repeat(3)),
        makeToolCall(`c${turn}`, { name, input: { query: `a question of step ${turn}` } }),
      ]),
      makeUser(makeToolResult(`c${turn}`, `What ${name} found in step ${turn}. `.repeat(10))),
      makeAssistant(`Step ${turn} is done.`),
    ];
  }).flat(),
);
const WORK_TOKENS = counter.countConversation(WORK);

/** Returns the turns whose results, inputs and thinking are gone. */
function gone({ messages }: Conversation) {
  const blocks = messages.flatMap((message) => message.blocks);
  const calls = blocks.flatMap((block) => (block.type === "tool-call" ? [block] : []));
  const results = blocks.flatMap((block) => (block.type === "tool-result" ? [block] : []));
  const thoughts = blocks.flatMap((block) => (block.type === "thinking" ? [block.text] : []));
  const numbers = (ids: readonly string[]) => ids.map((id) => Number(id.slice(1)));
  return {
    results: numbers(
      results.filter(({ content }) => JSON.stringify(content).includes(CLEARED)).map(({ callId }) => callId),
    ),
    inputs: numbers(calls.filter(({ input }) => JSON.stringify(input) === "{}").map(({ id }) => id)),
    thoughts: [...Array(10).keys()].filter((turn) => !thoughts.some((text) => text.includes(`step ${turn} `))),
  };
}

const NOTHING = { results: [], inputs: [], thoughts: [] };

describe("every option", () => {
  it.each<[string, ContextEdit, Partial<ReturnType<typeof gone>>]>([
    ["keep 3 tool uses", clearTools(), { results: [0, 1, 2, 3, 4, 5, 6] }],
    ["keep 0 tool uses", clearTools({ keepToolUses: 0 }), { results: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }],
    ["keep as many tool uses as there are", clearTools({ keepToolUses: 10 }), NOTHING],
    [
      "trigger: tool uses exceeded",
      clearTools({ trigger: { unit: "tool-uses", over: 9 } }),
      { results: [0, 1, 2, 3, 4, 5, 6] },
    ],
    ["trigger: tool uses reached", clearTools({ trigger: { unit: "tool-uses", over: 10 } }), NOTHING],
    [
      "trigger: input tokens exceeded",
      clearTools({ trigger: { unit: "tokens", over: WORK_TOKENS - 1 } }),
      { results: [0, 1, 2, 3, 4, 5, 6] },
    ],
    ["trigger: input tokens reached", clearTools({ trigger: { unit: "tokens", over: WORK_TOKENS } }), NOTHING],
    ["clear_at_least that can be reached", clearTools({ clearAtLeastTokens: 300 }), { results: [0, 1, 2, 3, 4, 5, 6] }],
    ["clear_at_least that can't be reached", clearTools({ clearAtLeastTokens: 5_000 }), NOTHING],
    ["exclude_tools", clearTools({ excludeTools: ["memory", "search"] }), { results: [0, 3, 6] }],
    [
      "clear_tool_inputs",
      clearTools({ clearInputs: true }),
      { results: [0, 1, 2, 3, 4, 5, 6], inputs: [0, 1, 2, 3, 4, 5, 6] },
    ],
    [
      "clear_tool_inputs of some tools",
      clearTools({ clearInputs: ["search"] }),
      { results: [0, 1, 2, 3, 4, 5, 6], inputs: [1, 4] },
    ],
    [
      "clear_tool_inputs of a tool that is excluded",
      clearTools({ clearInputs: true, excludeTools: ["search", "memory"] }),
      { results: [0, 3, 6], inputs: [0, 3, 6] },
    ],
    ["keep 1 turn's thinking", { kind: "clear-thinking", keepTurns: 1 }, { thoughts: [0, 1, 2, 3, 4, 5, 6, 7, 8] }],
    ["keep 8 turns' thinking", { kind: "clear-thinking", keepTurns: 8 }, { thoughts: [0, 1] }],
    ["keep more thinking than there is", { kind: "clear-thinking", keepTurns: 11 }, NOTHING],
    ["keep all thinking", { kind: "clear-thinking", keepTurns: "all" }, NOTHING],
    ["compaction whose trigger is reached", compact({ overTokens: WORK_TOKENS }), NOTHING],
  ])("has its effect: %s", (_, edit, expected) => {
    const { conversation, report } = edited(WORK, [edit]);
    const cleared = { ...NOTHING, ...expected };
    expect(gone(conversation)).toEqual(cleared);
    const tokens = WORK_TOKENS - counter.countConversation(conversation);
    if (cleared.results.length > 0) {
      expect(report.applied).toEqual([
        { kind: "clear-tool-uses", clearedToolUses: cleared.results.length, clearedTokens: tokens },
      ]);
    } else if (cleared.thoughts.length > 0) {
      expect(report.applied).toEqual([
        { kind: "clear-thinking", clearedTurns: cleared.thoughts.length, clearedTokens: tokens },
      ]);
    } else {
      expect(report).toEqual({ applied: [] });
      expect(conversation).toBe(WORK);
    }
  });

  it("compacts with the client's instructions", () => {
    const edit = compact({ instructions: "Only names.", pausesAfter: true });
    const usage = makeUsage();
    const answer = (): Answer => ({ kind: "text", text: "Names.", usage });
    const { conversation, report, asks } = edited(WORK, [edit], answer);
    expect(conversation.messages).toEqual([
      WORK.messages[36],
      makeUser("Summary of the conversation so far:\n\nNames."),
      WORK.messages[39],
    ]);
    expect(asks).toMatchObject([{ instructions: expect.stringMatching(/^Only names\./), messages: WORK.messages }]);
    expect(report).toEqual({
      applied: [],
      compaction: { block: { type: "compaction", text: "Names." }, pausesAfter: true, usage },
    });
  });

  it("reports no compaction if there was none", () => {
    const { conversation, report, passes } = edited(WORK, [compact()], () => ({ kind: "failed", why: "overloaded" }));
    expect(conversation).toBe(WORK);
    expect(report).toEqual({ applied: [] });
    expect(passes).toMatchObject([{ id: "compact", outcome: "failed", why: "overloaded" }]);
  });
});

describe("editContextInSteps", () => {
  it("applies edits in order, each to the result of the previous ones", () => {
    const thinking: ContextEdit = { kind: "clear-thinking", keepTurns: 2 };
    const alone = edited(WORK, [thinking]);
    const left = counter.countConversation(alone.conversation);
    const reached = edited(WORK, [thinking, clearTools({ trigger: { unit: "tokens", over: left } })]);
    expect(reached.report.applied.map(({ kind }) => kind)).toEqual(["clear-thinking"]);
    const exceeded = edited(WORK, [thinking, clearTools({ trigger: { unit: "tokens", over: left - 1 } })]);
    expect(exceeded.report.applied.map(({ kind }) => kind)).toEqual(["clear-thinking", "clear-tool-uses"]);
    expect(exceeded.report.applied[0]).toEqual(alone.report.applied[0]);
  });

  it("clears first, and compacts only if it is still too long", () => {
    const clear = clearTools({ keepToolUses: 0 });
    const left = counter.countConversation(edited(WORK, [clear]).conversation);
    expect(edited(WORK, [clear, compact({ overTokens: left })]).asks).toEqual([]);
    expect(edited(WORK, [clear, compact({ overTokens: left - 1 })]).asks).toHaveLength(1);
  });

  it("does not count tokens if nothing is due", () => {
    const counting = { ...counter, countMessage: () => expect.unreachable("nothing has to be counted") };
    const idle: ContextEdits = [
      { kind: "clear-thinking", keepTurns: "all" },
      clearTools({ trigger: { unit: "tool-uses", over: 99 } }),
    ];
    const { result } = finish(editContextInSteps(WORK, idle, { counter: counting, hash }), shortAnswer);
    expect(result.conversation).toBe(WORK);
    expect(result.passes).toEqual([]);
  });

  it("continues from a returned summary without a second one", () => {
    const edits = [compact({ overTokens: 200 })];
    const first = edited(WORK, edits);
    const block = first.report.compaction?.block;
    if (block === undefined) throw new Error("nothing was compacted");
    const later = makeConversation([...WORK.messages, makeAssistant([block, "Go on."]), makeUser("Thanks.")]);
    const second = edited(later, edits);
    expect(second.asks).toEqual([]);
    expect(second.report).toEqual({ applied: [] });
    expect(second.conversation.messages.slice(0, -2)).toEqual(first.conversation.messages);
  });

  it("ignores returned summaries if no compaction is requested", () => {
    const block = { type: "compaction", text: "So far." } as const;
    const conversation = makeConversation([...WORK.messages, makeAssistant([block, "Go on."]), makeUser("Thanks.")]);
    expect(edited(conversation, [{ kind: "clear-thinking", keepTurns: "all" }]).conversation).toBe(conversation);
  });

  it("returns a projection that replays the same edits", () => {
    const { conversation, projection } = edited(WORK, [
      { kind: "clear-thinking", keepTurns: 1 },
      clearTools({ clearInputs: true }),
      compact({ overTokens: 400 }),
    ]);
    expect(project(WORK, JSON.parse(JSON.stringify(projection)), hash).conversation).toEqual(conversation);
  });
});

describe("editContext", () => {
  it("answers its asks with the given summarizer", async () => {
    const summarize = async (): Promise<Answer> => ({ kind: "text", text: "By a model." });
    const { report } = await editContext(WORK, [compact()], { counter, hash, summarize });
    expect(report.compaction?.block.text).toBe("By a model.");
  });

  it("works without a summarizer", async () => {
    const { report } = await editContext(makeAgentLoop(9, 2_000), [compact()], { counter, hash });
    expect(report.compaction?.block.text).toContain("file");
  });
});

describe("contextEditingPasses", () => {
  it("returns one pass per edit, in order", () => {
    const passes = contextEditingPasses([{ kind: "clear-thinking", keepTurns: 1 }, clearTools(), compact()]);
    expect(passes.map(({ id }) => id)).toEqual(["clear-thinking", "clear-tool-uses", "compact"]);
  });
});

const anyName = fc.constantFrom("read_file", "edit_file", "run_command", "list_todos", "bash");

function anyClearTools(): fc.Arbitrary<ClearToolUses> {
  return fc.record({
    kind: fc.constant("clear-tool-uses" as const),
    trigger: fc.oneof(
      fc.record({ unit: fc.constant("tokens" as const), over: fc.integer({ min: 1, max: 2_000 }) }),
      fc.record({ unit: fc.constant("tool-uses" as const), over: fc.integer({ min: 1, max: 6 }) }),
    ),
    keepToolUses: fc.nat(4),
    clearAtLeastTokens: fc.constantFrom(0, 0, 20, 400),
    excludeTools: fc.subarray(["read_file", "run_command", "bash"]),
    clearInputs: fc.oneof(fc.boolean(), fc.uniqueArray(anyName, { maxLength: 2 })),
  });
}

function anyClearing(): fc.Arbitrary<ContextEdits> {
  const thinking = fc.record({
    kind: fc.constant("clear-thinking" as const),
    keepTurns: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant("all" as const)),
  });
  return fc
    .tuple(fc.option(thinking, { nil: undefined }), fc.array(anyClearTools(), { maxLength: 2 }))
    .map(([first, others]) => [...(first === undefined ? [] : [first]), ...others]);
}

function anyEdits(): fc.Arbitrary<ContextEdits> {
  const last = fc.record({
    kind: fc.constant("compact" as const),
    overTokens: fc.integer({ min: 1, max: 1_500 }),
    pausesAfter: fc.boolean(),
  });
  return fc
    .tuple(anyClearing(), fc.option(last, { nil: undefined }))
    .map(([clearing, end]) => (end === undefined ? clearing : [...clearing, end]));
}

function blockAt({ messages }: Conversation, { message, block }: Position): Block | undefined {
  return messages[message]?.blocks[block];
}

function blocksOf({ call, result }: ToolPair): Position[] {
  return result === undefined ? [call] : [call, result];
}

/** Calls and results that an edit must not change. */
function safeBlocks({ messages }: Conversation, { keepToolUses, excludeTools }: ClearToolUses): Position[] {
  const { pairs } = toolPairs(messages);
  const isSafe = ({ name }: ToolPair, index: number) =>
    index >= pairs.length - keepToolUses || excludeTools.includes(name);
  return pairs.filter(isSafe).flatMap(blocksOf);
}

const anyHistory = () => fc.oneof(anyConversation({ maxTurns: 6, maxSteps: 4 }), anySession());

describe("any context edits", () => {
  it("are deterministic", () => {
    fc.assert(
      fc.property(anyHistory(), anyEdits(), (conversation, edits) => {
        expect(edited(conversation, edits)).toEqual(edited(structuredClone(conversation), edits));
      }),
    );
  });

  it("split no pair, empty nothing, keep the order and the latest user message, and never grow the conversation", () => {
    fc.assert(
      fc.property(anyHistory(), anyClearing(), (conversation, edits) => {
        const result = edited(conversation, edits).conversation;
        expect(faultsIn(conversation, result)).toEqual([]);
        expect(counter.countConversation(result)).toBeLessThanOrEqual(counter.countConversation(conversation));
      }),
      { numRuns: 300 },
    );
  });

  it("are sound with compaction", () => {
    fc.assert(
      fc.property(anyHistory(), anyEdits(), (conversation, edits) => {
        expect(faultsIn(conversation, edited(conversation, edits).conversation)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("touch neither excluded tools nor the latest uses", () => {
    fc.assert(
      fc.property(anyHistory(), anyClearTools(), (conversation, edit) => {
        const { conversation: result } = edited(conversation, [edit]);
        for (const position of safeBlocks(conversation, edit)) {
          expect(blockAt(result, position)).toBe(blockAt(conversation, position));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("leave no more of other uses than allowed", () => {
    fc.assert(
      fc.property(anyHistory(), anyClearTools(), (conversation, edit) => {
        const { conversation: result, report } = edited(conversation, [edit]);
        fc.pre(report.applied.length > 0);
        const safe = new Set(safeBlocks(conversation, edit).map((position) => blockAt(conversation, position)));
        for (const block of result.messages.flatMap(({ blocks }) => blocks)) {
          if (block.type !== "tool-result" || safe.has(block)) continue;
          const tokens = block.content.reduce((sum, entry) => sum + counter.countBlock(entry), 0);
          expect(tokens).toBeLessThanOrEqual(counter.countText(CLEARED) * block.content.length);
        }
      }),
    );
  });

  it("are reported correctly", () => {
    fc.assert(
      fc.property(anyHistory(), anyClearTools(), (conversation, edit) => {
        const { conversation: result, report } = edited(conversation, [edit]);
        const isChanged = (at: Position) => blockAt(conversation, at) !== blockAt(result, at);
        const changed = toolPairs(conversation.messages).pairs.filter((pair) => blocksOf(pair).some(isChanged));
        const clearedTokens = counter.countConversation(conversation) - counter.countConversation(result);
        expect(report.applied).toEqual(
          changed.length === 0 ? [] : [{ kind: edit.kind, clearedToolUses: changed.length, clearedTokens }],
        );
        if (changed.length > 0) expect(clearedTokens).toBeGreaterThanOrEqual(edit.clearAtLeastTokens);
      }),
      { numRuns: 300 },
    );
  });

  it("keep the start of the prompt while nothing new is due", () => {
    fc.assert(
      fc.property(anyHistory(), anyClearing(), (conversation, edits) => {
        const first = edited(conversation, edits);
        const later = { ...conversation, messages: [...conversation.messages, makeAssistant("Yes."), makeUser("On.")] };
        const second = edited(later, edits);
        fc.pre(second.report.applied.length === first.report.applied.length);
        expect(second.conversation.messages.slice(0, -2)).toEqual(first.conversation.messages);
        expect(second.report).toEqual(first.report);
      }),
    );
  });

  it("start with the same prompt when the summary is returned", () => {
    fc.assert(
      fc.property(anyHistory(), (conversation) => {
        fc.pre(conversation.messages.at(-1)?.role === "user");
        const first = edited(conversation, [compact({ overTokens: 1 })]);
        const block = first.report.compaction?.block;
        fc.pre(block !== undefined);
        if (block === undefined) return;
        const reply = [makeAssistant([block, "Yes."]), makeUser("Go on.")];
        const later = { ...conversation, messages: [...conversation.messages, ...reply] };
        const second = edited(later, [compact({ overTokens: 1_000_000 })]);
        expect(second.conversation.messages.slice(0, -2)).toEqual(first.conversation.messages);
        expect(faultsIn(later, second.conversation)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("are sound whichever message returns a summary", () => {
    fc.assert(
      fc.property(anyHistory(), fc.nat(), anyClearing(), (conversation, choice, clearing) => {
        fc.pre(!hasSummary(conversation));
        const { messages } = conversation;
        const replies = [...messages.entries()].filter(([, { role }]) => role === "assistant");
        const [at, reply] = replies[choice % replies.length] ?? [-1, makeAssistant()];
        fc.pre(at !== -1);
        const cleared = { ...reply, blocks: [makeCompaction("So far."), ...reply.blocks] };
        const later = { ...conversation, messages: messages.with(at, cleared) };
        const { conversation: result } = edited(later, [...clearing, compact({ overTokens: 1_000_000 })]);
        expect(faultsIn(later, result)).toEqual([]);
        expect(result.messages.filter((message) => summaryOf(message)?.text === "So far.")).toHaveLength(1);
      }),
    );
  });
});
