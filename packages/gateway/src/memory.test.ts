import { textMessage } from "@longhaul/conversation";
import { expect, it } from "vitest";
import { makeMemory } from "./testing/memory.ts";

it("counts for every model of a tokenizer from what was counted before", async () => {
  const { counters } = await makeMemory();
  const message = textMessage("user", "The same words, in another request.");
  const first = await counters.counterFor("o200k");
  const tokens = first.countMessage(message);
  const second = await counters.counterFor("o200k");
  expect(second.countMessage(structuredClone(message))).toBe(tokens);
  expect(tokens).toBeGreaterThan(5);
});
