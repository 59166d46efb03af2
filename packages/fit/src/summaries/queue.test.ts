import fc from "fast-check";
import { expect, it } from "vitest";
import { makeQueue } from "./queue.ts";

it("runs everything, in order, and no more at once than it may", async () => {
  const anyQueue = fc.record({ maxAtOnce: fc.integer({ min: 1, max: 5 }), count: fc.integer({ min: 0, max: 20 }) });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), anyQueue, async (scheduler, { maxAtOnce, count }) => {
      const queue = makeQueue(maxAtOnce);
      const begun: number[] = [];
      let running = 0;
      let most = 0;
      const results = Array.from({ length: count }, (_, index) =>
        queue(async () => {
          begun.push(index);
          most = Math.max(most, ++running);
          await scheduler.schedule(Promise.resolve());
          running -= 1;
          return index;
        }),
      );
      await scheduler.waitFor(Promise.all(results));
      const all = Array.from({ length: count }, (_, index) => index);
      expect([await Promise.all(results), begun, most]).toEqual([all, all, Math.min(maxAtOnce, count)]);
    }),
  );
});

it("goes on after a failure", async () => {
  const queue = makeQueue(1);
  const failing = queue(() => Promise.reject(new Error("no")));
  const next = queue(async () => "yes");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
