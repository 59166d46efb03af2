import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnalyticsAnswer } from "@longhaul/admin/api";
import { openGateway } from "@longhaul/gateway";
import { openStore } from "@longhaul/store";
import { makeCondensationEvent, makeRequestEvent } from "@longhaul/store/testing";
import { afterAll, expect, it } from "vitest";
import { run } from "../program.ts";
import { writeEvents } from "../testing/events.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, "s.db");
const DAY_MS = 24 * 60 * 60 * 1_000;

async function printed(...args: readonly string[]) {
  const terminal = makeTerminal(folder);
  expect([await run([...args, "--store", path, "--json"], terminal), terminal.errors()]).toEqual([0, ""]);
  return JSON.parse(terminal.output());
}

async function analytics(sinceMs: number, untilMs: number): Promise<AnalyticsAnswer> {
  const adminToken = "a-long-admin-token";
  const file = { server: { port: 0, adminToken }, store: { path }, log: { level: "silent" } };
  const gateway = await openGateway({ file, environment: {} });
  try {
    const query = `sinceMs=${sinceMs}&untilMs=${untilMs}&bucket=day`;
    const headers = { authorization: `Bearer ${adminToken}` };
    return await (await fetch(`${gateway.adminUrl}/api/analytics?${query}`, { headers })).json();
  } finally {
    await gateway.close();
  }
}

const cents = (usd: number) => usd.toFixed(2);

it("shows the same cost for a day in usage, on the dashboard and for its keys", async () => {
  const nowMs = Date.now();
  const requests = Array.from({ length: 200 }, (_, index) =>
    makeRequestEvent({ id: `r${index}`, atMs: nowMs, keyId: index % 2 === 0 ? "k1" : "k2", costUsd: 0.0123 * index }),
  );
  const summary = makeCondensationEvent({ id: "c", atMs: nowMs, keyId: "k1", costUsd: 0.5 });
  await writeEvents(path, requests, [summary]);
  const store = await openStore({ path, nowMs: Date.now });
  for (const id of ["k1", "k2"]) {
    const about = { name: id, hint: "lh_", tenant: "", models: [], limits: {}, context: {}, createdAtMs: 1 };
    await store.keys.create({ id, hash: `hash of ${id}`, ...about });
  }
  await store.close();

  const expected = cents([...requests, summary].reduce((sum, { costUsd }) => sum + costUsd, 0));
  const { groups } = await printed("usage", "--by", "day", "--period", "today");
  const { groups: byKey } = await printed("usage", "--by", "key", "--period", "today");
  const { keys } = await printed("keys", "list");
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const { all, byKey: onDashboard } = await analytics(todayMs, nowMs + 1);

  expect(groups.map(({ costUsd }: { costUsd: number }) => cents(costUsd))).toEqual([expected]);
  expect(cents(all.costUsd + all.condensingUsd)).toBe(expected);
  for (const id of ["k1", "k2"]) {
    const used = keys.find((key: { id: string }) => key.id === id).used.usdToday;
    const listed = byKey.find(({ name }: { name: string }) => name === id).costUsd;
    const shown = onDashboard.find(({ group }) => group === id);
    expect([cents(used), cents(listed)]).toEqual(
      Array(2).fill(cents((shown?.costUsd ?? 0) + (shown?.condensingUsd ?? 0))),
    );
  }
});
