import { expect, it } from "vitest";
import { inTime, LATE } from "./in-time.ts";

it("gives what comes in time", async () => {
  expect(await inTime(1_000, Promise.resolve("x"))).toBe("x");
  await expect(inTime(1_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
});

it("does not wait for ever, and minds nothing that comes later", async () => {
  const asked = Promise.withResolvers<string>();
  expect(await inTime(1, asked.promise)).toBe(LATE);
  asked.reject(new Error("late"));
});
