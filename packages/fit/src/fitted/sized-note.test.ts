import { describe, expect, it } from "vitest";
import { makeChat, openFitBench } from "../testing/index.ts";
import { record } from "./record.ts";
import { sizedNote } from "./sized-note.ts";

const usage = (inputTokens: number) => ({ inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 });

describe("sizedNote", () => {
  it("tells what came and what was sent", async () => {
    const { fit } = await openFitBench();
    const fitted = await fit(makeChat(60));
    const note = sizedNote(fitted);
    expect(note).toMatchObject({ windowTokens: 4_000, originalTokens: fitted.originalTokens, warmTokens: 0 });
    expect(note.sentTokens).toBeLessThan(note.originalTokens);
    expect(note.session).toBe(fitted.turn.session);
    expect(note.anatomy().text).toBeGreaterThan(0);
  });

  it("knows what would have been cached when a conversation outgrows its window", async () => {
    const { fit } = await openFitBench();
    const long = makeChat(32);
    const before = await fit({ ...long, messages: long.messages.slice(0, 31) });
    expect(before.origin).toBe("raw");
    record(before, usage(before.form.tokens));
    const { turn, ...after } = await fit(long);
    expect(after.origin).toBe("new");
    const sent = turn.history.messageTokens.slice(0, 31).reduce((sum, each) => sum + each, turn.history.headTokens);
    expect(sizedNote({ turn, ...after }).warmTokens).toBe(sent);
  });
});
