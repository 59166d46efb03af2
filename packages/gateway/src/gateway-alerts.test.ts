import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeKey } from "@longhaul/admin";
import { vendorsAt } from "@longhaul/fit/testing";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { type KeyLimits, openStore, type Store } from "@longhaul/store";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";

const MODEL = "claude-sonnet-4-5";
const HELLO = { model: MODEL, max_tokens: 50, messages: [{ role: "user", content: "Say hello." }] };
const SECRET = "a-secret-of-the-webhook";

describe("budget alerts", () => {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-alerts-"));
  const received: { readonly body: string; readonly signature: unknown; readonly status: number }[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  let statuses: number[] = [];
  let simulator: Simulator;
  let receiver: Server;
  let webhook: string;
  let store: Store;
  let path: string;
  let meter: { readonly key: string; readonly id: string };

  beforeEach(async () => {
    received.length = 0;
    statuses = [];
    path = join(mkdtempSync(join(folder, "store-")), "longhaul.db");
    simulator = await openSimulator();
    store = await openStore({ path, nowMs: Date.now });
    // The gateways start with a key, so that they require one from the first request.
    meter = await addKey("meter", { usdPerMonth: 1e9 });
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const status = statuses.shift() ?? 204;
      const signature = request.headers["x-longhaul-signature"];
      received.push({ body: Buffer.concat(chunks).toString(), signature, status });
      response.writeHead(status).end();
    });
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
    const address = receiver.address();
    webhook = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/alerts`;
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await store.close();
    await simulator.close();
    await new Promise((closed) => receiver.close(closed));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function open(): Promise<Gateway> {
    const prices = { input: 1_000, output: 1_000, cacheRead: 1_000, cacheWrite: 1_000 };
    const gateway = await openGateway({
      file: {
        server: { port: 0, drainSeconds: 1 },
        store: { path },
        log: { level: "silent" },
        alerts: { webhook, webhookSecret: SECRET },
        models: { [MODEL]: { prices } },
        ...vendorsAt(simulator.url, { apiKey: "vendors" }),
      },
    });
    closers.push(() => gateway.close());
    return gateway;
  }

  async function addKey(name: string, limits: KeyLimits) {
    const { key, stored } = makeKey({ name, limits, createdAtMs: Date.now() });
    await store.keys.create(stored);
    return { key, id: stored.id };
  }

  async function say(gateway: Gateway, { key, id }: { key: string; id: string }): Promise<number> {
    const before = (await store.limits.used(id, Date.now())).usdThisMonth;
    const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": key };
    const answer = await fetch(`${gateway.url}/v1/messages`, { method: "POST", headers, body: JSON.stringify(HELLO) });
    await answer.arrayBuffer();
    if (answer.status !== 200) return answer.status;
    await expect.poll(async () => (await store.limits.used(id, Date.now())).usdThisMonth).toBeGreaterThan(before);
    return answer.status;
  }

  /** The cost of one request. */
  async function measure(gateway: Gateway): Promise<number> {
    await say(gateway, meter);
    return (await store.limits.used(meter.id, Date.now())).usdThisMonth;
  }

  const alerts = () =>
    received
      .filter(({ status }) => status < 300)
      .map(({ body }) => JSON.parse(body))
      .map(({ key, period, threshold }) => `${key.name} ${period} ${threshold}`)
      .sort();

  it("reach the webhook once per threshold and period, from two gateways on one store and after a restart", async () => {
    const two = [await open(), await open()] as const;
    const costUsd = await measure(two[0]);
    const team = await addKey("team", { usdPerDay: costUsd * 4, usdPerMonth: costUsd * 8 });
    for (const at of [0, 1, 0] as const) expect(await say(two[at], team)).toBe(200);
    await expect.poll(alerts).toEqual(["team day 50"]);
    expect(await say(two[1], team)).toBe(200);
    const all = ["team day 100", "team day 50", "team day 80", "team month 50"];
    await expect.poll(alerts).toEqual(all);
    expect([await say(two[0], team), await say(two[1], team)]).toEqual([429, 429]);
    for (const close of closers.splice(0)) await close();

    const again = await open();
    // Its alert comes after the check of all keys at the start.
    const other = await addKey("other", { usdPerDay: costUsd * 2 });
    expect(await say(again, other)).toBe(200);
    await expect.poll(alerts).toEqual(["other day 50", ...all]);
    expect(received).toHaveLength(all.length + 1);
  });

  it("are signed, and describe key, period and spend", async () => {
    const gateway = await open();
    const costUsd = await measure(gateway);
    const team = await addKey("team", { usdPerDay: costUsd * 2 });
    await say(gateway, team);
    await expect.poll(alerts).toHaveLength(1);
    const [{ body, signature } = { body: "", signature: "" }] = received;
    expect(signature).toBe(`sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`);
    const day = new Date().toISOString().slice(0, "2026-01-31".length);
    expect(JSON.parse(body)).toEqual({
      type: "key.spend",
      id: `${team.id}/${day}/${costUsd * 2}/50`,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      key: { id: team.id, name: "team", tenant: team.id },
      period: "day",
      periodStart: `${day}T00:00:00.000Z`,
      periodEnd: new Date(Date.parse(day) + 86_400_000).toISOString(),
      threshold: 50,
      limitUsd: costUsd * 2,
      spentUsd: expect.closeTo(costUsd),
    });
  });

  it("are sent again if the webhook fails, under the same id", async () => {
    const gateway = await open();
    const costUsd = await measure(gateway);
    statuses = [500];
    await say(gateway, await addKey("team", { usdPerDay: costUsd * 2 }));
    await expect.poll(() => received.map(({ status }) => status), { timeout: 10_000 }).toEqual([500, 204]);
    expect(new Set(received.map(({ body }) => JSON.parse(body).id)).size).toBe(1);
  });
});
