import { LonghaulError } from "@longhaul/conversation";
import { type Fitted, keepBlock } from "@longhaul/fit";
import { describe, expect, it } from "vitest";
import { type FitBench, makeChat, openFitBench } from "../testing/fitting.ts";
import { describeRecovery, recover } from "./recover.ts";
import { Refusal } from "./send.ts";

describe("recover", () => {
  async function openSent(context: object = {}): Promise<{ bench: FitBench; fitted: Fitted }> {
    const bench = await openFitBench({ context });
    return { bench, fitted: await bench.fit(makeChat(20)) };
  }

  const recoverFrom = (error: LonghaulError, fitted: Fitted, count = 0) =>
    recover(new Refusal(error, fitted.fitRequest.destination), fitted, { count });
  const windowOf = ({ fitRequest: { state, call, destination } }: Fitted) => state.learned.window(call, destination);

  const tooLong = new LonghaulError("request.too-large", "prompt is too long", {
    overflow: { actualTokens: 5_000, limitTokens: 2_000 },
  });

  it("plans a smaller request after one that was too long, at most twice", async () => {
    const { fitted } = await openSent();
    const [second, third] = [await recoverFrom(tooLong, fitted), await recoverFrom(tooLong, fitted, 1)];
    expect([second.count, third.count]).toEqual([1, 2]);
    expect(second.pressure?.maxTokens).toBeLessThan(2_000);
    expect(third.pressure?.maxTokens).toBeLessThan(second.pressure?.maxTokens ?? 0);
    await expect(recoverFrom(tooLong, fitted, 2)).rejects.toBeInstanceOf(Refusal);
    expect(windowOf(fitted)).toBe(2_000);
  });

  it("describes for the log which window was learned", async () => {
    const { fitted } = await openSent();
    const text = describeRecovery(new Refusal(tooLong, fitted.fitRequest.destination), fitted);
    expect(text).toBe(
      'upstream "anthropic" rejected request lh_test with status 400 as too long; the window of "claude-sonnet-4-5" is 2000 tokens there, not 4000; it is changed and sent again',
    );
  });

  it("learns from a refusal without figures once a smaller request is answered", async () => {
    const { fitted } = await openSent();
    const recovery = await recoverFrom(new LonghaulError("request.too-large", "too long"), fitted);
    expect(windowOf(fitted)).toBeUndefined();
    recovery.onAnswered?.({ ...fitted, form: { ...fitted.form, tokens: 1_000 } });
    expect(windowOf(fitted)).toBe(Math.floor((fitted.form.tokens + 1_000) / 2));
  });

  it("throws the refusal if the strategy never condenses, unless the output limit was too high", async () => {
    const { fitted } = await openSent({ strategy: "full-history" });
    await expect(recoverFrom(tooLong, fitted)).rejects.toMatchObject({ error: tooLong });
    expect(windowOf(fitted)).toBe(2_000);
    const overflow = { actualTokens: 1_000, limitTokens: 2_000, outputTokens: 1_500 };
    const answerTooLong = new LonghaulError("request.too-large", "max_tokens is too large", { overflow });
    expect(await recoverFrom(answerTooLong, fitted)).toMatchObject({ count: 1, refusal: { error: answerTooLong } });
  });

  it("throws the refusal of a call that was not fitted, and other errors", async () => {
    const { bench, fitted } = await openSent();
    const refusal = new Refusal(tooLong, bench.destination);
    await expect(recover(refusal, undefined, { count: 0 })).rejects.toBe(refusal);
    const busy = new LonghaulError("upstream.busy", "slow down");
    await expect(recoverFrom(busy, fitted)).rejects.toMatchObject({ error: busy });
  });

  it("retries once without the million-token beta", async () => {
    const { bench, fitted } = await openSent();
    const message = "The long context beta is not yet available for this subscription.";
    const refused = new LonghaulError("upstream.refused", message);
    expect((await recoverFrom(refused, fitted)).pressure).toBeUndefined();
    expect(bench.state.learned.isLongContextRefused(fitted.fitRequest.call, bench.destination)).toBe(true);
    await expect(recoverFrom(refused, fitted, 1)).rejects.toMatchObject({ error: refused });
  });

  it("retries without a vendor's summary that was refused", async () => {
    const { bench, fitted } = await openSent();
    const epoch = await keepBlock(fitted, { type: "compaction", text: "Harbours.", vendor: "anthropic" });
    const refused = new LonghaulError("upstream.refused", "messages.0.content.0.compaction.signature: invalid");
    const recovery = await recoverFrom(refused, { ...fitted, form: { ...fitted.form, epoch } });
    expect(recovery.pressure).toBeUndefined();
    expect(await bench.state.epochs.find(fitted.fitRequest)).toEqual([]);
    await expect(recoverFrom(refused, fitted)).rejects.toMatchObject({ error: refused });
  });
});
