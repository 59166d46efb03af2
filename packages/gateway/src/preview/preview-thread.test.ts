import { LonghaulError } from "@longhaul/conversation";
import { afterAll, describe, expect, it } from "vitest";
import { makeTerms } from "../testing/previews.ts";
import { findExample } from "./examples/examples.ts";
import type { EstimateJob, Told } from "./messages.ts";
import { PreviewThread } from "./preview-thread.ts";

const job: EstimateJob = { kind: "estimate", text: findExample("planning").text };
const answer = async (): Promise<Told> => ({ kind: "terms", terms: makeTerms() });

describe("PreviewThread", () => {
  const thread = new PreviewThread(() => {});
  afterAll(() => thread.close());

  it("does jobs side by side, each with its own questions", async () => {
    const asked: string[] = [];
    const answerAs = (name: string) => async () => {
      asked.push(name);
      return answer();
    };
    const done = Promise.all([thread.run(job, answerAs("a")), thread.run(job, answerAs("b"))]);
    expect(thread.size).toBe(2);
    expect(await done).toMatchObject([{ kind: "estimate" }, { kind: "estimate" }]);
    expect([asked.toSorted(), thread.size]).toEqual([["a", "b"], 0]);
  });

  it.each([
    [
      "what it was refused",
      () => Promise.reject(new LonghaulError("settings.invalid", "no such profile")),
      "settings.invalid",
      "no such profile",
    ],
    ["what went wrong here", () => Promise.reject(new TypeError("a bug")), "internal.bug", "a bug"],
  ])("fails with %s", async (_, refuse, code, message) => {
    await expect(thread.run(job, refuse)).rejects.toMatchObject({ code, message });
  });

  it("fails with what it could not read", async () => {
    await expect(thread.run({ ...job, text: "hello" }, answer)).rejects.toMatchObject({ code: "log.unreadable" });
  });

  it("rejects what it is at when it stops, and says that it has stopped", async () => {
    let stops = 0;
    const other = new PreviewThread(() => void stops++);
    const asked = Promise.withResolvers<void>();
    const job2 = other.run(job, () => {
      asked.resolve();
      return new Promise(() => {});
    });
    const end = expect(job2).rejects.toMatchObject({
      code: "internal.bug",
      message: expect.stringContaining("stopped"),
    });
    await asked.promise;
    await other.close();
    await end;
    expect([stops, other.size]).toEqual([1, 0]);
  });
});
