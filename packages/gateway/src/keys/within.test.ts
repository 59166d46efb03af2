import { expect, it } from "vitest";
import { within } from "./within.ts";

it("gives what comes in time", async () => {
  expect(await within(1_000, Promise.resolve("x"))).toBe("x");
  await expect(within(1_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
});

it("gives up what does not come, whatever becomes of it", async () => {
  const asked = Promise.withResolvers<string>();
  await expect(within(1, asked.promise)).rejects.toMatchObject({ code: "store.unavailable" });
  asked.reject(new Error("late"));
});
