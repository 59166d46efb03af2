import { describe, expect, it } from "vitest";
import type { Condensed } from "../workers/work.ts";
import { type Job, makeJobs } from "./jobs.ts";

const run = { tokensBefore: 100, tokensAfter: 90, targetTokens: 50 };

function makeJob(prefix: string, messages: number) {
  let fail: (error: Error) => void = () => {};
  const done = new Promise<Condensed>((_, reject) => {
    fail = reject;
  });
  const job: Job = { prefix, messages, asked: Promise.resolve(), done };
  return { job, end: () => fail(new Error("it came to nothing")) };
}

describe("running jobs", () => {
  it("are found by all requests that continue from their prefix, in the same scope", () => {
    const jobs = makeJobs();
    const { job } = makeJob("b", 2);
    expect(jobs.start("scope", job)).toBe(job);
    expect(jobs.find("scope", ["a", "b"])).toBe(job);
    expect(jobs.find("scope", ["a", "b", "c"])).toBe(job);
    expect(jobs.find("scope", ["a", "x", "b"])).toBeUndefined();
    expect(jobs.find("scope", ["a"])).toBeUndefined();
    expect(jobs.find("other", ["a", "b"])).toBeUndefined();
  });

  it("are removed when they end", async () => {
    const jobs = makeJobs();
    const [first, second] = [makeJob("a", 1), makeJob("b", 2)];
    jobs.start("scope", first.job);
    jobs.start("scope", second.job);
    first.end();
    await expect(first.job.done).rejects.toThrow();
    expect(jobs.find("scope", ["a"])).toBeUndefined();
    expect(jobs.find("scope", ["a", "b"])).toBe(second.job);
    let isSettled = false;
    const settled = jobs.settled().then(() => {
      isSettled = true;
    });
    await Promise.resolve();
    expect(isSettled).toBe(false);
    second.end();
    await settled;
    expect(jobs.find("scope", ["a", "b"])).toBeUndefined();
  });

  it("are settled if there are none", async () => {
    await expect(makeJobs().settled()).resolves.toBeUndefined();
  });
});

describe("jobs without a result", () => {
  it("are remembered for the conversation, the latest first", () => {
    const jobs = makeJobs();
    jobs.miss("scope", "a", run);
    jobs.miss("scope", "b", { ...run, tokensBefore: 200 });
    expect(jobs.lastMiss("scope", ["a", "b", "c"])).toEqual({ ...run, tokensBefore: 200 });
    expect(jobs.lastMiss("scope", ["a", "x"])).toEqual(run);
    expect(jobs.lastMiss("scope", ["x"])).toBeUndefined();
    expect(jobs.lastMiss("other", ["a"])).toBeUndefined();
  });

  it("do not block a retry after a later success, but count in the cost", () => {
    const jobs = makeJobs();
    jobs.miss("scope", "a", { ...run, costUsd: 0.5 });
    jobs.succeed("scope", ["a", "b"]);
    expect(jobs.lastMiss("scope", ["a", "b"])).toBeUndefined();
    expect(jobs.lostUsd("scope", ["a", "b"])).toBe(0.5);
    jobs.miss("scope", "a", { ...run, costUsd: 0.25 });
    expect(jobs.lastMiss("scope", ["a", "b"])).toEqual({ ...run, costUsd: 0.75 });
  });

  it("are evicted, the oldest first", () => {
    const jobs = makeJobs();
    for (let index = 0; index <= 1_000; index++) jobs.miss("scope", `${index}`, run);
    expect(jobs.lastMiss("scope", ["0"])).toBeUndefined();
    expect(jobs.lastMiss("scope", ["1"])).toEqual(run);
  });
});
