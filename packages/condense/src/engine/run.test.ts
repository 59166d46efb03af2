import { anyConversation, makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pass } from "../contract/strategy.ts";
import { openDraft } from "../edits/draft.ts";
import type { Answer, Ask, Edit } from "../edits/edit.ts";
import { finish, makeContext, makeCounter, shortAnswer } from "../testing/context.ts";
import { type AppliedPass, answerAsks, type RunSteps, runPasses } from "./run.ts";

const long = makeConversation([makeUser("x".repeat(400)), makeAssistant("y".repeat(400)), makeUser("z".repeat(40))]);

/** Cuts the first block of `message` in half. */
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
  it("plans each pass on the result of the previous ones", () => {
    const { result } = run([cutPass("one"), cutPass("two")]);
    expect(result.draft.conversation.messages[1]).toEqual(makeAssistant("y".repeat(100)));
    expect(result.passes.map(({ tokensBefore, tokensAfter }) => [tokensBefore, tokensAfter])).toEqual([
      [219, 169],
      [169, 144],
    ]);
  });

  it("undoes a pass that breaks an invariant, reports why, and runs the next", () => {
    const { result } = run([cutPass("bad", 2), cutPass("good")]);
    expect(result.passes).toMatchObject([
      { id: "bad", outcome: "undone", why: "the latest user message was changed", tokensAfter: 219 },
      { id: "good", outcome: "applied", operations: { truncate: 1 } },
    ]);
  });

  it("calls onApplied with each applied pass and the draft before it", () => {
    const applied: AppliedPass[] = [];
    const context = { ...makeContext(1000), onApplied: (pass: AppliedPass) => applied.push(pass) };
    const passes = [cutPass("one"), cutPass("bad", 2), cutPass("two")];
    finish(runPasses(openDraft(long), { passes, stopsAtTarget: false }, context), shortAnswer);
    expect(applied.map(({ pass, edits }) => [pass.id, edits.length])).toEqual([
      ["one", 1],
      ["two", 1],
    ]);
    expect(applied.map(({ before }) => before.conversation.messages[1])).toEqual([
      long.messages[1],
      makeAssistant("y".repeat(200)),
    ]);
  });

  it("continues after a pass that throws", () => {
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

  it("skips a pass whose condition is not met", () => {
    const never = cutPass("never", 1, { applies: () => false });
    const unmet = "its condition is not met";
    expect(run([never], 100).result.passes).toMatchObject([{ outcome: "skipped", why: unmet, tokensAfter: 219 }]);
    const reached = "the target is already reached";
    expect(run([never], 1000).result.passes).toMatchObject([{ outcome: "skipped", why: reached, tokensAfter: 219 }]);
  });

  it("stops once the target is reached if the strategy says so", () => {
    expect(run([cutPass("one"), cutPass("two")], 228, true).result.passes.map((pass) => pass.id)).toEqual(["one"]);
    expect(run([cutPass("one"), cutPass("two")], 228, false).result.passes.map((pass) => pass.id)).toEqual([
      "one",
      "two",
    ]);
  });

  it("undoes a trial that does not reach the target on its own", () => {
    const trial = cutPass("trial", 1, { isTrial: true });
    expect(run([trial], 100).result.passes).toMatchObject([
      { outcome: "skipped", why: "it does not reach the target on its own", tokensAfter: 219 },
    ]);
    expect(run([trial], 228).result.passes).toMatchObject([{ outcome: "applied" }]);
  });

  it("yields the asks of a pass as one batch and sums the costs of the answers", () => {
    const ask = (messages: Ask["messages"]): Ask => ({
      kind: "ask",
      messages,
      instructions: "",
      maxTokens: 9,
      expectedTokens: 9,
    });
    const plan = (): Edit[] =>
      [1, 2].map((from) => ({
        kind: "replace",
        from,
        to: from + 1,
        with: [{ role: "user", parts: [ask([long.messages[from - 1]!])] }],
        reason: "summarize",
      }));
    const running = runPasses(
      openDraft(makeConversation([makeUser("task"), ...long.messages])),
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

  it("reports a failed answer with its cost", () => {
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

  it("measures each pass with the given clock", () => {
    let time = 0;
    const context = { ...makeContext(1000), now: () => (time += 5) };
    const { result } = finish(
      runPasses(openDraft(long), { passes: [cutPass("one")], stopsAtTarget: false }, context),
      shortAnswer,
    );
    expect(result.passes[0]?.milliseconds).toBe(5);
  });

  it("never increases the token count, whatever the passes plan", () => {
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
  messages: [makeUser("The tests in src/main.ts fail."), makeUser("Fix them.")],
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

  it("answers batch by batch, in order", async () => {
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

  it("answers without a model if the summarizer fails, with the reason and the cost", async () => {
    const failing = () => Promise.reject(new Error("overloaded"));
    const blank = async () => ({ kind: "text", text: " ", costUsd: 0.1 }) as const;
    const digest = { kind: "text", text: expect.stringContaining("src/main.ts") };
    expect(await answerAsks(asking([[ASK]]), { counter, summarize: failing })).toEqual([
      [{ ...digest, insteadOf: "the summarizer failed: overloaded", costUsd: 0 }],
    ]);
    expect(await answerAsks(asking([[ASK]]), { counter, summarize: blank })).toEqual([
      [{ ...digest, insteadOf: "the summary is empty", costUsd: 0.1 }],
    ]);
  });

  it("accepts a plain text as an answer", async () => {
    expect(await answerAsks(asking([[ASK]]), { counter, summarize: async () => "Fixed." })).toEqual([
      [{ kind: "text", text: "Fixed." }],
    ]);
  });

  it("works without a summarizer", async () => {
    const [[answer] = []] = await answerAsks(asking([[ASK]]), { counter });
    expect(answer).toMatchObject({ kind: "text", text: expect.stringContaining("src/main.ts") });
  });
});
