import { makeRoughCounter } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { makeSessionReading } from "../testing/readings.ts";
import { promptsOf } from "./prompts.ts";
import { referredTokens } from "./referred-tokens.ts";

const counter = makeRoughCounter();

describe("referredTokens", () => {
  it("saves nothing at first and more with every repeat", () => {
    const reading = makeSessionReading(8);
    const prompts = promptsOf(reading, counter);
    const saved = referredTokens({ reading, prompts, counter });
    expect(saved).toHaveLength(prompts.length);
    expect(saved[0]).toBe(0);
    expect(saved).toEqual(saved.toSorted((a, b) => a - b));
    expect(saved.at(-1)).toBeGreaterThan(0.3 * (prompts.at(-1)?.heldTokens ?? 0));
  });

  it("starts over if a prompt does not extend the previous one", () => {
    const reading = makeSessionReading(4);
    const calls = reading.calls.map((call, index) =>
      index < 6 ? call : { ...call, prompt: { from: 12, to: call.prompt.to } },
    );
    const parted = { ...reading, calls };
    expect(referredTokens({ reading: parted, prompts: promptsOf(parted, counter), counter }).at(6)).toBe(0);
  });
});
