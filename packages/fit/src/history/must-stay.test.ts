import { expect, it } from "vitest";
import { makeChat, makeReads, openFitBench } from "../testing/index.ts";
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

it.each([
  ["a picture", [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }]],
  ["a tool's answer", [{ type: "tool_result", tool_use_id: "call_0", content: "long" }]],
])("counts nothing where the latest words stand beside %s", async (_, beside) => {
  const bench = await openFitBench();
  const { messages } = makeReads(1);
  const mixed = { role: "user", content: [...beside, { type: "text", text: "And now?" }] };
  const { history } = await bench.turn(makeChat(0, { messages: [...messages.slice(0, -1), mixed] }));
  expect(mustStayTokens(history)).toBe(0);
});

it("counts nothing of answers that a client put together as text", async () => {
  const bench = await openFitBench();
  const composed =
    "[read_file for 'a.ts'] Result:\n\n<files><file><path>a.ts</path><content>1</content></file></files>";
  const { history } = await bench.turn(makeChat(0, { messages: [{ role: "user", content: composed }] }));
  expect(mustStayTokens(history)).toBe(0);
});
