import { makeUsage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeChat, openFitBench } from "../testing/fitting.ts";
import type { Fitted } from "./fit.ts";
import { formName } from "./form-name.ts";
import { record } from "./record.ts";
import { rawForm } from "./turn.ts";

async function openSent(body: object = makeChat(10)) {
  const { turn: open } = await openFitBench();
  const turn = await open(body);
  const form = rawForm(turn);
  const fitted: Fitted = { turn, form, originalTokens: form.tokens, origin: "raw" };
  const ratio = () => turn.state.learned.ratio(turn.target);
  const correction = () =>
    turn.state.anchors.correction(formName(turn.scope, undefined), turn.history.prefixes(), turn.ratio);
  return { fitted, form, turn, ratio, correction };
}

describe("record", () => {
  it("learns how the upstream counts, and how large this conversation is", async () => {
    const { fitted, form, turn, ratio, correction } = await openSent();
    const more = Math.round(form.estimated * 0.1);
    record(fitted, makeUsage({ inputTokens: form.estimated - 10, cacheReadTokens: 4, cacheWriteTokens: 6 + more }));
    expect(ratio()).toBeCloseTo(turn.ratio * (1 + more / form.estimated));
    expect(correction()).toBe(more);
    expect(turn.state.anchors.sentMessages(turn.scope, turn.history.prefixes())).toBe(21);
    expect(rawForm(turn).tokens).toBe(form.tokens + more);
  });

  it("goes by the round that read what was sent, where the vendor compacted", async () => {
    const { fitted, form, correction } = await openSent();
    const rounds = [makeUsage({ inputTokens: form.estimated + 7 }), makeUsage({ inputTokens: 50 })];
    record(fitted, makeUsage({ inputTokens: 60, iterations: rounds }));
    expect(correction()).toBe(7);
  });

  it("learns nothing from a report of nothing", async () => {
    const { fitted, turn, ratio, correction } = await openSent();
    record(fitted, makeUsage({ inputTokens: 0 }));
    expect([ratio(), correction()]).toEqual([turn.ratio, 0]);
  });

  it("learns nothing of a conversation without messages but how it is counted", async () => {
    const { fitted, turn, form, ratio } = await openSent(
      makeChat(0, { messages: [], system: "Be brief. ".repeat(400) }),
    );
    record(fitted, makeUsage({ inputTokens: Math.round(form.estimated * 1.1) }));
    expect(ratio()).toBeGreaterThan(turn.ratio);
    expect(turn.state.anchors.sentAtMs(turn.scope, turn.history.prefixes())).toBeUndefined();
  });

  it("does not take the ratio from prompts with images", async () => {
    const image = { type: "image", source: { type: "url", url: "https://files.example/1.png" } };
    const { fitted, turn, form, ratio, correction } = await openSent(
      makeChat(1, { messages: [{ role: "user", content: [image] }] }),
    );
    record(fitted, makeUsage({ inputTokens: form.estimated + 9 }));
    expect([ratio(), correction()]).toEqual([turn.ratio, 9]);
  });
});
