import { makeKey } from "@longhaul/admin";
import { json, openUpstream } from "@longhaul/fit/testing";
import type { KeyLimits, Store } from "@longhaul/store";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { makeStore } from "../testing/memory.ts";
import { Alerts } from "./alerts.ts";

const MAY = Date.parse("2026-05-10T10:00:00Z");
let nowMs = MAY;
let store: Store;
const warnings: string[] = [];

beforeEach(async () => {
  nowMs = MAY;
  warnings.length = 0;
  store = await makeStore(() => nowMs);
});
afterEach(() => store.close());

async function openReceiver(...statuses: number[]) {
  const receiver = await openUpstream(...statuses.map((status) => json({}, status)));
  onTestFinished(() => receiver.close());
  return receiver;
}

function open(webhook: string | undefined): Alerts {
  const settings = () => (webhook === undefined ? {} : { webhook });
  return new Alerts({ store, settings, nowMs: () => nowMs, warn: (what) => warnings.push(what), pausesMs: [1, 1] });
}

async function addKey(limits: KeyLimits, spentUsd: number) {
  const { stored } = makeKey({ name: "team", limits, createdAtMs: 0 });
  await store.keys.create(stored);
  await store.limits.leave(stored.id, "r", { usd: spentUsd, atMs: nowMs });
  return { keyId: stored.id, name: "team", tenant: stored.id, limits };
}

it("sends every threshold that was reached at once, and again in the next period", async () => {
  const { url, seen } = await openReceiver(200);
  const key = await addKey({ usdPerDay: 1, usdPerMonth: 100 }, 0.9);
  const alerts = open(url);
  alerts.check(key);
  alerts.check(key);
  const sent = () => seen.map(({ body }) => [JSON.parse(body).periodStart.slice(0, 10), JSON.parse(body).threshold]);
  await expect.poll(sent).toEqual([
    ["2026-05-10", 50],
    ["2026-05-10", 80],
  ]);
  nowMs += 86_400_000;
  await store.limits.leave(key.keyId, "r", { usd: 0.5, atMs: nowMs });
  alerts.check(key);
  await alerts.close();
  expect(sent().slice(2)).toEqual([["2026-05-11", 50]]);
});

it("finds a key at the start whose alert was never sent", async () => {
  const { url, seen } = await openReceiver(200);
  await addKey({ usdPerMonth: 10 }, 5);
  await addKey({ usdPerMonth: 0 }, 5);
  const alerts = open(url);
  await expect.poll(() => seen.length).toBe(1);
  await alerts.close();
});

it("sends alerts of a new limit in the same period", async () => {
  const { url, seen } = await openReceiver(200);
  const key = await addKey({ usdPerDay: 2 }, 1);
  const alerts = open(url);
  await expect.poll(() => seen.length).toBe(1);
  alerts.check({ ...key, limits: { usdPerDay: 1.5 } });
  await alerts.close();
  expect(seen.map(({ body }) => [JSON.parse(body).limitUsd, JSON.parse(body).threshold])).toEqual([
    [2, 50],
    [1.5, 50],
  ]);
});

it("gives up after three attempts, reports it, and tries again five minutes later", async () => {
  const { url, seen } = await openReceiver(500, 302, 503, 200);
  const key = await addKey({ usdPerDay: 2 }, 1);
  const alerts = open(url);
  await expect.poll(() => alerts.failure()).toBe("status 503");
  expect(warnings).toEqual([expect.stringMatching(/^alert key_\w+\/2026-05-10\/2\/50 was not delivered: status 503;/)]);
  alerts.check(key);
  nowMs += 5 * 60_000;
  alerts.check(key);
  await expect.poll(() => seen.length).toBe(4);
  await alerts.close();
  expect(alerts.failure()).toBeUndefined();
});

it("hides the URL of a webhook that cannot be reached", async () => {
  const { url, close } = await openUpstream();
  await close();
  await addKey({ usdPerDay: 2 }, 1);
  const alerts = open(`${url}/services/secret`);
  await expect.poll(() => alerts.failure()).toBe("ECONNREFUSED");
  expect(warnings.join()).not.toContain("secret");
  await alerts.close();
});

it("does nothing without a webhook", async () => {
  const key = await addKey({ usdPerDay: 2 }, 2);
  const alerts = open(undefined);
  alerts.check(key);
  await alerts.close();
  expect([alerts.failure(), warnings]).toEqual([undefined, []]);
});
