import { LonghaulError } from "@longhaul/conversation";
import {
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { condenseInSteps } from "./condense-in-steps.ts";
import { defineStrategy, type Pass, type Strategy } from "./contract/strategy.ts";
import { openDraft } from "./edits/draft.ts";
import type { Edit } from "./edits/edit.ts";
import { STRATEGIES } from "./registry.ts";
import { apply } from "./rewrite/apply.ts";
import { withNotes } from "./rewrite/notes.ts";
import { flatten, project } from "./rewrite/projection.ts";
import { native } from "./strategies/native.ts";
import { sandwich } from "./strategies/sandwich.ts";
import { treeSummary } from "./strategies/tree-summary.ts";
import { finish, makePlan, shortAnswer } from "./testing/context.ts";

function strategyOf(id: string, passes: readonly Pass[]): Strategy {
  const capabilities = {
    lossless: false,
    batchMode: false,
    individualMode: false,
    multiPass: true,
    summarizes: false,
    speed: "fast",
  } as const;
  const schema = z.strictObject({});
  return defineStrategy({
    id,
    name: id,
    description: id,
    version: "1.0.0",
    capabilities,
    guide: { loses: "high", chooseFor: "tests" },
    schema,
    stopsAtTarget: false,
    passes: () => passes,
  });
}

/** About 1,000 tokens of lines that no other file has. */
function linesOf(file: number): string {
  return Array.from(
    { length: 60 },
    (_, line) => `${file}.${line}: ${file * 31 + line} crates of copper at berth ${line}, paid`,
  ).join("\n");
}

/** Drops everything between the first and the last message. */
const dropMiddle: Pass = {
  id: "drop-middle",
  name: "Drop the middle",
  plan: ({ conversation }): Edit[] => [
    { kind: "replace", from: 1, to: conversation.messages.length - 1, with: [], reason: "drop" },
  ],
};
const failing: Pass = {
  id: "fails",
  name: "Fails",
  plan: () => {
    throw new Error("no summariser");
  },
};
const loop = makeAgentLoop(20, 4_000);

describe("condenseInSteps", () => {
  it("returns the result with its projection and report", () => {
    const { result } = finish(condenseInSteps(loop, makePlan(strategyOf("drop", [dropMiddle]), 1000)), shortAnswer);
    expect(result.conversation.messages).toEqual([loop.messages[0], loop.messages.at(-1)]);
    expect(result.fits).toBe(true);
    expect(result.firstChanged).toBe(1);
    expect(result.report).toMatchObject({
      strategy: "drop",
      fallbacks: [],
      warnings: [],
      passes: [{ id: "drop-middle" }],
    });
  });

  it("says in the report why tokens were left free", () => {
    const why = (pass: Pass, budgetTokens: number, targetTokens = budgetTokens) => {
      const { limits, ...plan } = makePlan(strategyOf("any", [pass]), budgetTokens);
      const given = { ...plan, limits: { ...limits, targetTokens } };
      return finish(condenseInSteps(loop, given), shortAnswer).result.report.unused?.why;
    };
    const idle: Pass = { id: "idle", name: "Idle", plan: () => [] };
    const { tokensAfter } = finish(
      condenseInSteps(loop, makePlan(strategyOf("drop", [dropMiddle]), 50_000)),
      shortAnswer,
    ).result.report;
    expect(why(idle, 1_000_000)).toBeUndefined();
    expect(why(dropMiddle, 50_000)).toBe("the strategy's own settings keep no more");
    expect(why(dropMiddle, 50_000, tokensAfter)).toMatch(
      /^condensing aims at [\d,]+ tokens, so that the next turns fit too$/,
    );
    expect(why(dropMiddle, tokensAfter)).toBeUndefined();
  });

  it.each([sandwich, native, treeSummary])(
    "continues from an earlier condensation: $id summarizes only new messages",
    (strategy) => {
      const plan = makePlan(strategy, 8_000);
      const { projection } = finish(condenseInSteps(loop, plan), shortAnswer).result;
      const more = makeAgentLoop(30, 2_000).messages;
      const longer = { ...loop, messages: [...loop.messages, ...more] };
      const { asks, result } = finish(condenseInSteps(longer, { ...plan, continues: projection }), shortAnswer);
      const asked = new Set(asks.flatMap(({ messages }) => messages));
      expect(loop.messages.slice(1, 30).filter((message) => asked.has(message))).toEqual([]);
      expect(asked.size).toBeGreaterThan(0);
      expect(result.fits).toBe(true);
      expect(project(longer, result.projection, plan.hash).conversation).toEqual(result.conversation);
    },
  );

  it("runs the next strategy when a pass fails and the conversation does not fit", () => {
    const plan = makePlan(strategyOf("broken", [failing]), 1000);
    const chain = { ...plan, choices: [plan.choices[0], { strategy: strategyOf("drop", [dropMiddle]) }] as const };
    const { report } = finish(condenseInSteps(loop, { ...chain, choices: [...chain.choices] }), shortAnswer).result;
    expect(report).toMatchObject({ strategy: "drop", fallbacks: [{ strategy: "broken", why: "no summariser" }] });
  });

  it("accepts a failed strategy if the conversation fits", () => {
    const plan = makePlan(strategyOf("broken", [failing]), 100_000);
    const { report, conversation } = finish(condenseInSteps(loop, plan), shortAnswer).result;
    expect(conversation.messages).toEqual(loop.messages);
    expect(report).toMatchObject({
      strategy: "broken",
      fallbacks: [],
      warnings: ["Fails failed: no summariser"],
    });
  });

  it("fits mechanically what the strategy leaves over the budget", () => {
    const { report, fits } = finish(
      condenseInSteps(loop, makePlan(strategyOf("idle", []), 12_000)),
      shortAnswer,
    ).result;
    expect(fits).toBe(true);
    expect(report.passes[0]).toMatchObject({ id: "fit-older-results", outcome: "applied" });
  });

  it("judges the result by the upstream's limit, not by the budget with headroom", () => {
    const words = makeConversation([makeUser("word ".repeat(2_000))]);
    const plan = makePlan(strategyOf("idle", []), 1_000);
    const within = (limitTokens: number) => {
      const limits = { ...plan.limits, limitTokens };
      return finish(condenseInSteps(words, { ...plan, limits }), shortAnswer).result;
    };
    const size = plan.counter.countConversation(words);
    expect(within(size)).toMatchObject({ fits: true, misfits: [] });
    expect(within(size - 7)).toMatchObject({ fits: false, misfits: [{ what: "tokens", size, limit: size - 7 }] });
  });

  it.each(STRATEGIES.filter(({ isFinal }) => isFinal !== true).map((strategy) => [strategy.id, strategy] as const))(
    "keeps the newest result whole with %s, even if instructions and tools exceed the target",
    (_, strategy) => {
      const read = (file: number) => [
        makeAssistant([
          `Now file ${file}.`,
          makeToolCall(`call_${file}`, { name: "Read", input: { file_path: `f${file}` } }),
        ]),
        makeUser(makeToolResult(`call_${file}`, linesOf(file))),
      ];
      const conversation = makeConversation([makeUser("Read the files."), ...[1, 2, 3].flatMap(read)], {
        system: [{ type: "text", text: "Work with care. ".repeat(500) }],
      });
      const limits = { windowTokens: 5_000, targetTokens: 1_500, budgetTokens: 1_900, limitTokens: 4_000 };
      const { result } = finish(condenseInSteps(conversation, { ...makePlan(strategy, 0), limits }), shortAnswer);
      expect(result.fits).toBe(true);
      expect(JSON.stringify(result.conversation.messages.at(-1))).toContain(JSON.stringify(linesOf(3)).slice(1, -1));
    },
  );

  it("prices the removed tokens as a cache read of each further call", () => {
    const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };
    const { report } = finish(
      condenseInSteps(loop, { ...makePlan(strategyOf("drop", [dropMiddle]), 1000), prices }),
      shortAnswer,
    ).result;
    const removedTokens = report.tokensBefore - report.tokensAfter;
    expect(report.savedPerCallUsd).toBeCloseTo((removedTokens * prices.cacheRead) / 1_000_000);
  });

  it("rejects a conversation without messages", () => {
    const refusal = new LonghaulError("VALIDATION_ERROR", "Conversation has no messages");
    expect(() => condenseInSteps(makeConversation([]), makePlan(strategyOf("idle", []), 10)).next()).toThrow(refusal);
  });

  describe("thinking", () => {
    const words = "words ".repeat(40);
    const conversation = makeConversation([
      makeUser("task"),
      makeAssistant([makeThinking("before the change"), words]),
      makeUser(words),
      makeAssistant([makeThinking("after the change"), words]),
      makeUser("now do it"),
      makeAssistant([makeThinking("in the open loop"), makeToolCall("a")]),
      makeUser(makeToolResult("a")),
    ]);
    const cutMessage = (message: number): Pass => ({
      id: "cut",
      name: "Cut",
      plan: (): Edit[] => [
        {
          kind: "splice",
          at: { message, block: 0, path: [] },
          splices: [{ from: 0, to: 100, text: "" }],
          reason: "truncate",
        },
      ],
    });
    const thoughts = (binds: boolean, sent?: ReturnType<typeof flatten>) => {
      const plan = {
        ...makePlan(strategyOf("cut", [cutMessage(2)]), 100_000),
        thinking: { binds },
        ...(sent && { sent }),
      };
      const { messages } = finish(condenseInSteps(conversation, plan), shortAnswer).result.conversation;
      return messages.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.type === "thinking" ? [block.text] : [])),
      );
    };

    it("is removed after the first change, except in the open loop", () => {
      expect(thoughts(false)).toEqual(["before the change", "in the open loop"]);
    });

    it("is removed completely for models that bind it to the prefix", () => {
      expect(thoughts(true)).toEqual(["before the change"]);
    });

    it("is kept if the same was sent before", () => {
      const edits = cutMessage(2).plan({} as never);
      const plan = {
        ...makePlan(strategyOf("cut", [cutMessage(2)]), 100_000),
        hash: String,
        thinking: { binds: true },
      };
      const cut = withNotes(apply(openDraft(conversation), edits, { answers: [], hash: String }), plan);
      const sent = flatten(cut, String);
      const { result } = finish(condenseInSteps(conversation, { ...plan, sent }), shortAnswer);
      expect(result.firstChanged).toBe(conversation.messages.length);
      expect(result.conversation.messages[3]).toBe(conversation.messages[3]);
    });
  });
});
