import { makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Answer, Ask } from "../edits/edit.ts";
import { makeCounter } from "../testing/counter.ts";
import { answerAsks } from "./answer-asks.ts";
import type { RunSteps } from "./run.ts";

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
