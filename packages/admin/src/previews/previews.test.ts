import type { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeTerms } from "../testing/previews.ts";
import { findExample } from "./examples/examples.ts";
import type { PreviewJob, Told } from "./messages.ts";
import { keptBody, openPreviews } from "./previews.ts";

const { text } = findExample("planning");
const job: PreviewJob = { kind: "preview", text, key: "k", asksModels: false, page: { from: 0, limit: 1 } };
const answer = async (): Promise<Told> => ({ kind: "terms", terms: makeTerms() });
const body = {
  text: JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hello" }] }),
  wire: "anthropic-messages",
} as const;

/** What Node tells of a thread that is no more. */
const ENDED = -1;

function open(idleMs?: number) {
  const previews = openPreviews(idleMs);
  onTestFinished(() => previews.close());
  return previews;
}

describe("openPreviews", () => {
  it("does all jobs in one thread, which does not hold up this one", async () => {
    const previews = open();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const [shown, compared, estimated] = await Promise.all([
      previews.preview(job, answer),
      previews.compare({ kind: "compare", before: body, after: body, tokenizer: "claude", page: job.page }),
      previews.estimate({ kind: "estimate", text }, answer),
    ]);
    clearInterval(timer);
    expect(shown.rowCount).toBeGreaterThan(20);
    expect(compared.rows).toMatchObject([{ before: "Hello" }]);
    expect(estimated.strategies.length).toBeGreaterThan(5);
    expect(turns).toBeGreaterThan(10);
  });

  it("starts again after it had nothing to do for a while", async () => {
    const started: Worker[] = [];
    const note = (worker: Worker) => void started.push(worker);
    process.on("worker", note);
    onTestFinished(() => void process.off("worker", note));
    const previews = open(0);
    const first = await previews.preview(job, answer);
    await expect.poll(() => started[0]?.threadId).toBe(ENDED);
    expect((await previews.preview(job, answer)).tokensAfter).toBe(first.tokensAfter);
    expect(started).toHaveLength(2);
  });

  it("ends no thread that has still something to do", async () => {
    const previews = open(0);
    const first = previews.preview(job, answer);
    const second = previews.preview(job, async () => {
      await first;
      // Whatever was to be done when the first was over has been done by then.
      await new Promise((resolve) => setTimeout(resolve));
      return await answer();
    });
    expect((await second).tokensAfter).toBe((await first).tokensAfter);
  });

  it("opens no thread to close it", async () => {
    await openPreviews().close();
  });
});

it("unpacks what was kept", async () => {
  expect(await keptBody(gzipSync('{"model":"ä"}'))).toBe('{"model":"ä"}');
});

it("rejects what was not packed", async () => {
  await expect(keptBody(Buffer.from("{}"))).rejects.toThrow("incorrect header");
});
