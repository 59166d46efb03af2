import { makeKey } from "@longhaul/admin";
import { type KeyLimits, openStore } from "@longhaul/store";
import { POSTGRES_SKIP } from "@longhaul/store/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { turn } from "../context/rig.ts";
import { openBalancer } from "./balancer.ts";
import { makeShared, openReplica, originOf, type Shared, send } from "./replica.ts";
import { expectContinued, expectSummarizedOnce, playTwice, readsOf } from "./sessions.ts";
import { messagesIn } from "./upstream.ts";

async function openTwo(shared: Shared) {
  const log: string[] = [];
  const writeLog = (line: string) => void log.push(line);
  const [one, other] = [await openReplica(shared, { writeLog }), await openReplica(shared, { writeLog })];
  const balancer = await openBalancer([one.url, other.url]);
  onTestFinished(() => balancer.close());
  return { one, other, url: balancer.url, log };
}

const HELLO = [{ role: "user", content: "Hello." }];

describe.skipIf(POSTGRES_SKIP !== "")(`two gateways on one PostgreSQL ${POSTGRES_SKIP}`, () => {
  it.each([
    ["a summary", { strategy: "native" }],
    ["removed content", { strategy: "middle-out" }],
  ])("continue each other's sessions with the same bytes: %s", async (_, context) => {
    const shared = await makeShared({ context });
    const { url } = await openTwo(shared);
    const origins = await playTwice(url, 6, 24);
    expect(new Set(origins.flat())).toEqual(new Set(["raw", "new", "reused"]));
    expect(origins.filter(([first]) => first === "new").length).toBeLessThan(5);
    expectContinued(shared.upstream, origins);
  });

  it("refer to content that the other one has sent", async () => {
    const shared = await makeShared({ context: { strategy: "lossless" }, window: 100_000 });
    const { url } = await openTwo(shared);
    const tools = [{ name: "read", input_schema: { type: "object" } }];
    for (let reads = 0; reads <= 8; reads++) {
      expect((await send(url, readsOf(reads), { fields: { tools } })).status).toBe(200);
    }
    const turns = shared.upstream.turns().map(messagesIn);
    for (const [index, messages] of turns.entries()) {
      const before = turns[index - 1] ?? [];
      expect(messages.slice(0, before.length), `turn ${index}`).toEqual(before);
    }
    for (const message of turns.at(-1)?.slice(6) ?? []) expect(message).not.toContain("line 30 of");
  });

  it("create one summary if both get the same conversation at once", async () => {
    const shared = await makeShared({ context: { strategy: "native" } });
    const { one, other } = await openTwo(shared);
    const release = shared.upstream.hold("asks");
    const answers = [one, other, other].map(({ url }) => send(url, turn(30)));
    await expect.poll(() => shared.upstream.asks().length).toBeGreaterThan(0);
    for (const { url } of [one, other, one, other]) expect((await send(url, HELLO)).status).toBe(200);
    release();
    expect((await Promise.all(answers)).map(originOf)).toEqual(["new", "new", "new"]);
    expectSummarizedOnce(shared.upstream);
    expect(new Set(shared.upstream.turns().slice(4)).size).toBe(1);
  });

  it("see each other's settings within a second", async () => {
    const { one, other } = await openTwo(await makeShared());
    const strategy = () => other.settings.layered.config.context.strategy;
    expect(strategy()).toBe("smart");
    const seenAfterMs = async (value: string) => {
      const startedAt = performance.now();
      await one.settings.change({ entries: [{ path: "context.strategy", value }], by: "operator" });
      await expect.poll(strategy, { interval: 20 }).toBe(value);
      return performance.now() - startedAt;
    };
    // A busy machine is slow once, not every time.
    const times = [await seenAfterMs("truncation"), await seenAfterMs("smart"), await seenAfterMs("sliding-window")];
    expect(Math.min(...times)).toBeLessThan(1_000);
    expect((await send(other.url, turn(30))).headers["x-longhaul-strategy"]).toBe("sliding-window");
  });

  async function addKey({ config }: Shared, limits: KeyLimits) {
    const store = await openStore({ ...Object(config).store, nowMs: Date.now });
    onTestFinished(() => store.close());
    const { key, stored } = makeKey({ name: "ci", limits, createdAtMs: Date.now() });
    await store.keys.create(stored);
    return { "x-api-key": key };
  }

  type Play = (two: Awaited<ReturnType<typeof openTwo>>, headers: object) => Promise<readonly number[]>;

  /** Repeats until everything was counted within one minute by the database, not by a gateway's estimate. Gives up eventually. */
  async function whenCounted(shared: Shared, limits: KeyLimits, play: Play): Promise<readonly number[]> {
    for (let tries = 0; tries < 5; tries++) {
      const since = minuteOf(Date.now());
      const headers = await addKey(shared, limits);
      const two = await openTwo(shared);
      const statuses = await play(two, headers);
      const isGuessed = two.log.some((line) => line.includes("limits use the last known counts"));
      if (since === minuteOf(Date.now()) && !isGuessed) return statuses;
    }
    throw new Error("nothing was counted within one minute");
  }

  function minuteOf(atMs: number): number {
    return Math.floor(atMs / 60_000);
  }

  it("count a key's requests together", async () => {
    const shared = await makeShared();
    const statuses = await whenCounted(shared, { requestsPerMinute: 4 }, async ({ url }, headers) => {
      const statuses: number[] = [];
      for (let count = 0; count < 8; count++) statuses.push((await send(url, HELLO, { headers })).status);
      return statuses;
    });
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429]);
  });

  it("count a key's concurrent requests together", async () => {
    const shared = await makeShared();
    const { upstream } = shared;
    const statuses = await whenCounted(shared, { concurrent: 2 }, async ({ one, other }, headers) => {
      const before = upstream.turns().length;
      const release = upstream.hold("all");
      const under = [one, other].map(({ url }) => send(url, HELLO, { headers }));
      await expect.poll(() => upstream.turns().length).toBe(before + 2);
      upstream.hold("asks");
      const more = await Promise.all([one, other].map(({ url }) => send(url, HELLO, { headers })));
      release();
      const statuses = [...(await Promise.all(under)), ...more].map(({ status }) => status);
      const free = async () => (await send(other.url, HELLO, { headers })).status;
      await expect.poll(free).toBe(200);
      return statuses;
    });
    expect(statuses).toEqual([200, 200, 429, 429]);
  });
});
