import { makeRoughCounter } from "@longhaul/models";
import { expect, it } from "vitest";
import { makeAsk } from "../testing/summaries.ts";
import { askTokens, inputTokens } from "./ask-size.ts";

const counter = makeRoughCounter();
const { previous: _, ...ask } = makeAsk();

it("counts the messages and the summary so far as what a summary stands for", () => {
  const messages = ask.messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  expect(inputTokens(ask, counter)).toBe(messages);
  expect(inputTokens({ ...ask, previous: "x".repeat(400) }, counter)).toBe(messages + 100);
});

it("counts the instructions as part of the ask", () => {
  expect(askTokens(ask, counter) - inputTokens(ask, counter)).toBe(counter.countText(ask.instructions));
});
