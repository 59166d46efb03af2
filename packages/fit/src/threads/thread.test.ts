import { LonghaulError } from "@longhaul/conversation";
import { afterAll, describe, expect, it } from "vitest";
import type { EchoProtocol } from "../testing/echo-thread.ts";
import { failureOf, Thread } from "./thread.ts";

const program = new URL("../testing/echo-thread.ts", import.meta.url);
const open = (onStop = () => {}) => new Thread<EchoProtocol>({ program, purpose: "echoes", onStop });

describe("Thread", () => {
  const thread = open();
  afterAll(() => thread.close());

  it("does jobs side by side, each with its own questions", async () => {
    const done = Promise.all([thread.run("one", async () => "first"), thread.run("two", async () => "second")]);
    expect(thread.size).toBe(2);
    expect(await done).toEqual(["first one", "second two"]);
    expect(thread.size).toBe(0);
  });

  it("fails at once with the very refusal of a question, and goes on with other jobs", async () => {
    const refusal = new LonghaulError("settings.invalid", "no such profile");
    await expect(thread.run("one", () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(thread.size).toBe(0);
    expect(await thread.run("two", async () => "second")).toBe("second two");
  });

  it("fails with what went wrong there", async () => {
    await expect(thread.run("", async () => "first")).rejects.toMatchObject({
      code: "log.unreadable",
      message: "there is nothing to say",
    });
  });

  it("rejects what it is at when it stops, and takes answers that come after", async () => {
    let stops = 0;
    const other = open(() => void stops++);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    const job = other.run("one", () => {
      asked.resolve();
      return answer.promise;
    });
    const end = expect(job).rejects.toMatchObject({
      code: "internal.bug",
      message: "the thread for echoes has stopped",
    });
    await asked.promise;
    await other.close();
    answer.resolve("late");
    await end;
    expect([stops, other.size]).toEqual([1, 0]);
  });
});

it.each([
  [new LonghaulError("log.unreadable", "no log"), { code: "log.unreadable", message: "no log" }],
  [new TypeError("a bug"), { code: "internal.bug", message: "a bug" }],
  ["words", { code: "internal.bug", message: "words" }],
])("%s crosses as %j", (error, failure) => {
  expect(failureOf(error)).toEqual(failure);
});
