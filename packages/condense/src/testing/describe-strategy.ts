import { type Conversation, pureHash as hash } from "@longhaul/conversation/advanced";
import { anyConversation, anyMessyConversation, makeAgentLoop } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import type { Strategy } from "../contract/strategy.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import { guideOf } from "../guides.ts";
import { project } from "../rewrite/projection.ts";
import { finish, makePlan, settingsIn } from "./context.ts";
import { faultsIn, keepsTask } from "./soundness.ts";

/** Input of the suite from a strategy's own test. */
export interface StrategySuite {
  readonly strategy: Strategy;
  /** Configurations that its schema accepts. */
  readonly configs: fc.Arbitrary<unknown>;
}

/** The suite for all strategies: the contract, and the invariants for any conversation. */
export function describeStrategy({ strategy, configs }: StrategySuite): void {
  describe(`${strategy.id} as a strategy`, () => {
    it("has an id, a name and a description", () => {
      expect(strategy.id).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(strategy.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(strategy.name.length * guideOf(strategy).description.length).toBeGreaterThan(0);
    });

    it("has a schema with a description for every setting", () => {
      for (const [name, property] of Object.entries(settingsIn(strategy))) {
        expect(property, name).toHaveProperty("description");
      }
    });

    it("works with its defaults", () => {
      expect(() => strategy.passes(undefined)).not.toThrow();
    });

    it("names the invalid field of a configuration", () => {
      expect(() => strategy.passes({ noSuchSetting: 1 })).toThrow(/noSuchSetting/);
    });

    describeSoundness({ strategy, configs }, "sound", anyConversation({ maxTurns: 6 }));
    describeSoundness({ strategy, configs }, "messy", anyMessyConversation({ maxTurns: 6 }));

    it("keeps a long agent loop sound", () => {
      const loop = makeAgentLoop(60, 800);
      const plan = makePlan(strategy, 6_000);
      const { result } = finish(condenseInSteps(loop, plan), answerInFull);
      expect(faultsIn(loop, result.conversation)).toEqual([]);
      if (strategy.isFinal !== true) expect(result.fits).toBe(true);
    });
  });
}

interface Case {
  readonly conversation: Conversation;
  readonly config: unknown;
  readonly budgetTokens: number;
  readonly answer: (ask: Ask) => Answer;
}

function describeSoundness(
  { strategy, configs }: StrategySuite,
  kind: string,
  conversations: fc.Arbitrary<Conversation>,
): void {
  const cases: fc.Arbitrary<Case> = fc.record({
    conversation: conversations,
    config: configs,
    budgetTokens: fc.integer({ min: 50, max: 800 }),
    answer: fc.constantFrom(answerInFull, answerAtLength, answerNothing, failToAnswer),
  });
  const condense = ({ conversation, config, budgetTokens, answer }: Case) =>
    finish(condenseInSteps(conversation, makePlan(strategy, budgetTokens, config)), answer).result;

  it(`keeps every invariant on ${kind} conversations`, () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { conversation, report } = condense(given);
        expect(faultsIn(given.conversation, conversation)).toEqual([]);
        expect(report.tokensAfter).toBeLessThanOrEqual(report.tokensBefore);
        // The counter takes four characters for a token, and a quarter of the budget is room for a task.
        const isKept = keepsTask(given.conversation, conversation, given.budgetTokens);
        if (strategy.dropsTask !== true) expect(isKept).toBe(true);
      }),
    );
  });

  it(`is deterministic on ${kind} conversations, and stable as they grow`, () => {
    fc.assert(
      fc.property(cases, anyConversation(), (given, more) => {
        const first = condense(given);
        expect(condense(given)).toEqual(first);
        const longer = { ...given.conversation, messages: [...given.conversation.messages, ...more.messages] };
        const stored = JSON.parse(JSON.stringify(first.projection));
        const replayed = project(longer, stored, hash).conversation.messages;
        expect(JSON.stringify(replayed)).toBe(JSON.stringify([...first.conversation.messages, ...more.messages]));
      }),
    );
  });
}

/** A realistic summary. */
function answerInFull(ask: Ask): Answer {
  return { kind: "text", text: `In ${ask.messages.length} messages the files were read and src/main.ts was changed.` };
}

/** A summary that is longer than its input. */
function answerAtLength(ask: Ask): Answer {
  return { kind: "text", text: JSON.stringify(ask.messages).repeat(2) };
}

function answerNothing(): Answer {
  return { kind: "text", text: "  " };
}

function failToAnswer(): Answer {
  return { kind: "failed", why: "the summarizer is down" };
}
