import { makeRoughCounter } from "@longhaul/models";
import { expect, it } from "vitest";
import { makeAsk, makeTalk } from "../testing/summaries.ts";
import { askTokens, countWithPauses, inputTokens } from "./summarizer.ts";

const counter = makeRoughCounter();
const { previous: _, ...ask } = makeAsk();

it("counts the messages and the previous summary", () => {
  const messages = ask.messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  expect(inputTokens(ask, counter)).toBe(messages);
  expect(inputTokens({ ...ask, previous: "x".repeat(400) }, counter)).toBe(messages + 100);
});

it("counts the instructions as part of the ask", () => {
  expect(askTokens(ask, counter) - inputTokens(ask, counter)).toBe(counter.countText(ask.instructions));
});

it("pauses while it counts", async () => {
  const long = makeAsk(makeTalk(40, 100));
  let turns = 0;
  let isDone = false;
  const take = () => {
    turns += 1;
    if (!isDone) setImmediate(take);
  };
  setImmediate(take);
  await countWithPauses(long, counter);
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(Math.floor(inputTokens(long, counter) / 40_000));
  expect(turns).toBeGreaterThan(1);
});
