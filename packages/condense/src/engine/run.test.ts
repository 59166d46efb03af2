import { anyConversation, makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pass } from "../contract/strategy.ts";
import { openDraft } from "../edits/draft.ts";
import type { Answer, Ask, Edit } from "../edits/edit.ts";
import { finish, makeContext, makeCounter, shortAnswer } from "../testing/context.ts";
import { type AppliedPass, answerAsks, type RunSteps, runPasses } from "./run.ts";

const long = makeConversation([makeUser("x".repeat(400)), makeAssistant("y".repeat(400)), makeUser("z".repeat(40))]);

/** Cuts the first message of `message` to half. */
function cutPass(id: string, message = 1, extra: Partial<Pass> = {}): Pass {
  const plan = (view: Parameters<Pass["plan"]>[0]): Edit[] => {
    const block = view.conversation.messages[message]?.blocks[0];
    const length = block?.type === "text" ? block.text.length : 0;
    const splices = [{ from: 0, to: Math.floor(length / 2), text: "" }];
    return [{ kind: "splice", at: { message, block: 0, path: [] }, splices, reason: "truncate" }];
  };
  return { id, name: id, plan, ...extra };
}

function run(passes: readonly Pass[], budgetTokens = 1000, stopsAtTarget = false) {
  return finish(runPasses(openDraft(long), { passes, stopsAtTarget }, makeContext(budgetTokens)), shortAnswer);
}

describe("runPasses", () => {
  it("plans each pass on the result of those before it", () => {
    const { result } = run([cutPass("one"), cutPass("two")]);
    expect(result.draft.conversation.messages[1]).toEqual(makeAssistant("y".repeat(100)));
    expect(result.passes.map(({ tokensBefore, tokensAfter }) => [tokensBefore, tokensAfter])).toEqual([
      [219, 169],
      [169, 144],
    ]);
  });

  it("undoes a pass that breaks a rule, says why, and runs the next", () => {
    const { result } = run([cutPass("bad", 2), cutPass("good")]);
    expect(result.passes).toMatchObject([
      { id: "bad", outcome: "undone", why: "the latest user message was changed", tokensAfter: 219 },
      { id: "good", outcome: "applied", operations: { truncate: 1 } },
    ]);
  });

  it("tells of the passes whose edits stand, and what they were made for", () => {
    const told: AppliedPass[] = [];
    const context = { ...makeContext(1000), onApplied: (applied: AppliedPass) => told.push(applied) };
    const passes = [cutPass("one"), cutPass("bad", 2), cutPass("two")];
    finish(runPasses(openDraft(long), { passes, stopsAtTarget: false }, context), shortAnswer);
    expect(told.map(({ pass, edits }) => [pass.id, edits.length])).toEqual([
      ["one", 1],
      ["two", 1],
    ]);
    expect(told.map(({ before }) => before.conversation.messages[1])).toEqual([
      long.messages[1],
      makeAssistant("y".repeat(200)),
    ]);
  });

  it("goes on after a pass that throws", () => {
    const broken: Pass = {
      id: "broken",
      name: "Broken",
      plan: () => {
        throw new Error("a bug");
      },
    };
    const { result } = run([broken, cutPass("good")]);
    expect(result.passes).toMatchObject([{ outcome: "failed", why: "a bug" }, { outcome: "applied" }]);
  });

  it("skips a pass whose condition does not hold", () => {
    const never = cutPass("never", 1, { applies: () => false });
    const unmet = "its condition does not hold";
    expect(run([never], 100).result.passes).toMatchObject([{ outcome: "skipped", why: unmet, tokensAfter: 219 }]);
    const reached = "the target is reached already";
    expect(run([never], 1000).result.passes).toMatchObject([{ outcome: "skipped", why: reached, tokensAfter: 219 }]);
  });

  it("stops once the target is reached, where the strategy says so", () => {
    expect(run([cutPass("one"), cutPass("two")], 228, true).result.passes.map((pass) => pass.id)).toEqual(["one"]);
    expect(run([cutPass("one"), cutPass("two")], 228, false).result.passes.map((pass) => pass.id)).toEqual([
      "one",
      "two",
    ]);
  });

  it("takes a trial back unless it alone reaches the target", () => {
    const trial = cutPass("trial", 1, { isTrial: true });
    expect(run([trial], 100).result.passes).toMatchObject([
      { outcome: "skipped", why: "it alone does not reach the target", tokensAfter: 219 },
    ]);
    expect(run([trial], 228).result.passes).toMatchObject([{ outcome: "applied" }]);
  });

  it("yields the asks of a pass as one batch and adds up what the answers cost", () => {
    const ask = (messages: Ask["messages"]): Ask => ({
      kind: "ask",
      messages,
      instructions: "",
      maxTokens: 9,
      expectedTokens: 9,
    });
    const plan = (): Edit[] =>
      [0, 1].map((from) => ({
        kind: "replace",
        from,
        to: from + 1,
        with: [{ role: "user", parts: [ask([long.messages[from]!])] }],
        reason: "summarize",
      }));
    const running = runPasses(
      openDraft(long),
      { passes: [{ id: "s", name: "S", plan }], stopsAtTarget: false },
      makeContext(1000),
    );
    expect(running.next().value).toHaveLength(2);
    const done = running.next([
      { kind: "text", text: "first", costUsd: 0.25 },
      { kind: "text", text: "second", costUsd: 0.5 },
    ]);
    expect(done.value).toMatchObject({ passes: [{ outcome: "applied", costUsd: 0.75, operations: { summarize: 2 } }] });
  });

  it("reports a failed answer with what it cost", () => {
    const parts = [{ kind: "ask", messages: [], instructions: "", maxTokens: 9, expectedTokens: 9 } as const];
    const plan = (): Edit[] => [
      { kind: "replace", from: 0, to: 1, with: [{ role: "user", parts }], reason: "summarize" },
    ];
    const running = runPasses(
      openDraft(long),
      { passes: [{ id: "s", name: "S", plan }], stopsAtTarget: false },
      makeContext(1000),
    );
    const { result } = finish(running, () => ({ kind: "failed", why: "the model is down", costUsd: 0.1 }));
    expect(result.passes).toMatchObject([{ outcome: "failed", why: "the model is down", costUsd: 0.1 }]);
  });

  it("takes the time of each pass from the clock it is given", () => {
    let time = 0;
    const context = { ...makeContext(1000), now: () => (time += 5) };
    const { result } = finish(
      runPasses(openDraft(long), { passes: [cutPass("one")], stopsAtTarget: false }, context),
      shortAnswer,
    );
    expect(result.passes[0]?.milliseconds).toBe(5);
  });

  it("never lets the count grow, whatever the passes plan", () => {
    fc.assert(
      fc.property(anyConversation(), fc.nat({ max: 6 }), (conversation, message) => {
        const context = makeContext(100);
        const { result } = finish(
          runPasses(openDraft(conversation), { passes: [cutPass("cut", message)], stopsAtTarget: false }, context),
          shortAnswer,
        );
        const before = context.counter.countConversation(conversation);
        expect(context.counter.countConversation(result.draft.conversation)).toBeLessThanOrEqual(before);
      }),
    );
  });
});

const ASK: Ask = {
  kind: "ask",
  messages: [makeUser("The tests in src/main.ts fail."), makeUser("Mend them.")],
  instructions: "Be brief.",
  maxTokens: 100,
  expectedTokens: 10,
};

function* asking(batches: readonly (readonly Ask[])[]): RunSteps<Answer[][]> {
  const answers: Answer[][] = [];
  for (const batch of batches) answers.push([...(yield batch)]);
  return answers;
}

describe("answerAsks", () => {
  const counter = makeCounter();

  it("answers batch after batch, each in its order", async () => {
    let calls = 0;
    const summarize = async (): Promise<Answer> => ({ kind: "text", text: `${++calls}` });
    expect(await answerAsks(asking([[ASK, ASK], [ASK]]), { counter, summarize })).toEqual([
      [
        { kind: "text", text: "1" },
        { kind: "text", text: "2" },
      ],
      [{ kind: "text", text: "3" }],
    ]);
  });

  it("tells a failure of the summariser as an answer", async () => {
    const summarize = () => Promise.reject(new Error("overloaded"));
    expect(await answerAsks(asking([[ASK]]), { counter, summarize })).toEqual([
      [{ kind: "failed", why: "the summariser failed: overloaded" }],
    ]);
  });

  it("needs no summariser", async () => {
    const [[answer] = []] = await answerAsks(asking([[ASK]]), { counter });
    expect(answer).toMatchObject({ kind: "text", text: expect.stringContaining("src/main.ts") });
  });
});
