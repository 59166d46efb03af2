import { textMessage } from "@longhaul/conversation";
import type { LoggedCall, LogReading } from "@longhaul/logs";
import { describe, expect, it } from "vitest";
import { openModels } from "./session-model.ts";

const { modelOf, counterAt } = openModels();

function makeReading(...models: readonly string[]): LogReading {
  const calls = models.map((model): LoggedCall => ({ model, outcome: "finished", prompt: { from: 0, to: 1 } }));
  const conversation = { system: [], tools: [], messages: [textMessage("user", "Hi.")] };
  return { format: "roo", conversation, calls, sideCalls: [], events: [], warnings: [] };
}

describe("modelOf", () => {
  it("takes the model that most calls went to, unless another is asked for", async () => {
    const reading = makeReading("gpt-4o", "claude-sonnet-4-5", "claude-sonnet-4-5");
    expect(await modelOf(reading)).toMatchObject({ name: "claude-sonnet-4-5", tokenizer: "claude" });
    expect(await modelOf(reading, "gpt-4o")).toMatchObject({ name: "gpt-4o", tokenizer: "o200k" });
  });

  it("counts by the log's format where no model is named, and says so", async () => {
    const found = await modelOf(makeReading());
    expect(found.tokenizer).toBe("claude");
    expect(found.model).toBeUndefined();
    expect(found.warning).toContain("no model is named");
  });

  it("says what it assumes of a model that nobody knows", async () => {
    expect((await modelOf(makeReading("nobody-knows-1"))).warning).toContain("nobody-knows-1");
  });
});

it("counts more where the model gives more tokens", async () => {
  const model = await modelOf(makeReading());
  const [one, two] = [await counterAt(model, 1), await counterAt(model, 2)];
  expect(two.countText("so many words")).toBe(2 * one.countText("so many words"));
});
