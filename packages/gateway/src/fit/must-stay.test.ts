import { expect, it } from "vitest";
import { makeChat, makeReads, openFitBench } from "../testing/fitting.ts";
import { mustStayTokens } from "./must-stay.ts";

it("counts system, tools and the user's words", async () => {
  const bench = await openFitBench();
  const { history } = await bench.turn(makeChat(3, { system: "Be brief." }));
  expect(history.headTokens).toBeGreaterThan(0);
  expect(mustStayTokens(history)).toBe(history.headTokens + (history.messageTokens.at(-1) ?? 0));
});

it("finds the words before what the tools gave, which can be shortened", async () => {
  const bench = await openFitBench();
  const { history } = await bench.turn(makeReads(1, 2));
  expect(mustStayTokens(history)).toBe(history.messageTokens[0]);
});

it("counts nothing of messages without the user's words", async () => {
  const bench = await openFitBench();
  const { messages } = makeReads(1);
  expect(mustStayTokens((await bench.turn(makeChat(0, { messages: messages.slice(1) }))).history)).toBe(0);
});
