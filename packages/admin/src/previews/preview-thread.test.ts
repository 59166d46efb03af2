import type { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeTerms } from "../testing/previews.ts";
import { findExample } from "./examples/examples.ts";
import { openPreviews, unzipBody } from "./preview-thread.ts";
import type { PreviewJob, QuestionAnswer } from "./protocol.ts";

const { text } = findExample("planning");
const job: PreviewJob = { kind: "preview", text, key: "k", asksModels: false, page: { from: 0, limit: 1 } };
const answer = async (): Promise<QuestionAnswer> => ({ kind: "terms", terms: makeTerms() });
const body = {
  text: JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hello" }] }),
  wire: "anthropic-messages",
} as const;

/** The id of a thread that has ended. */
const ENDED = -1;

function open(idleMs?: number) {
  const previews = openPreviews(idleMs);
  onTestFinished(() => previews.close());
  return previews;
}

describe("openPreviews", () => {
  it("runs all jobs on one thread without blocking this one", async () => {
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

  it("restarts the thread after it was idle", async () => {
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

  it("keeps a busy thread", async () => {
    const previews = open(0);
    const first = previews.preview(job, answer);
    const second = previews.preview(job, async () => {
      await first;
      // By now everything that follows the first job has run.
      await new Promise((resolve) => setTimeout(resolve));
      return await answer();
    });
    expect((await second).tokensAfter).toBe((await first).tokensAfter);
  });

  it("closes without having started a thread", async () => {
    await openPreviews().close();
  });
});

it("unzips a recorded body", async () => {
  expect(await unzipBody(gzipSync('{"model":"ä"}'))).toBe('{"model":"ä"}');
});

it("rejects a body that is not gzip", async () => {
  await expect(unzipBody(Buffer.from("{}"))).rejects.toThrow("incorrect header");
});
