import { expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { makeStore } from "../testing/memory.ts";
import { makeKey } from "./make-key.ts";
import { openAccess } from "./open-access.ts";

it("knows the keys of a store, sees what others change in it within a second, and counts there", async () => {
  const nowMs = () => 1_000_000;
  const store = await makeStore(nowMs);
  const warnings: string[] = [];
  const access = await openAccess({ store, nowMs, warn: (what) => warnings.push(what) });
  const { key, stored } = makeKey({ name: "ci", limits: { usdPerDay: 1 }, createdAtMs: 0 });
  await store.keys.create(stored);
  const caller = await access.ring.find(key);
  if (caller === undefined) throw new Error("the key is not known");
  await access.limiter.enter(caller, "r1");
  await store.keys.revoke(stored.id, 1);
  await expect.poll(() => access.ring.find(key)).toBeUndefined();
  access.limiter.finished(makeFinished({ id: "r1", costUsd: 0.5 }));
  await access.close();
  expect(await store.limits.used(stored.id, nowMs())).toMatchObject({ underWay: 0, usdToday: 0.5 });
  await store.close();
  expect(warnings).toEqual([]);
});
