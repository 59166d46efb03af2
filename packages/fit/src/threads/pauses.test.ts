import { expect, it } from "vitest";
import { makePauses } from "./pauses.ts";

it("lets others have their turn only where the work has gone on for long", async () => {
  let now = 0;
  const pauses = makePauses(() => now, 8);
  now = 7;
  expect(pauses.take()).toBeUndefined();
  now = 8;
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  await pauses.take();
  expect(hasRun).toBe(true);
  expect(pauses.take()).toBeUndefined();
});
