import { makeKey } from "@longhaul/gateway";
import { type KeyLimits, openStore } from "@longhaul/store";
import { POSTGRES_SKIP } from "@longhaul/store/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { turn } from "../context/rig.ts";
import { openBalancer } from "./balancer.ts";
import { makeShared, openReplica, originOf, type Shared, say } from "./replica.ts";
import { expectAskedOnce, expectContinued, playTwice, readsOf } from "./sessions.ts";
import { messagesIn } from "./upstream.ts";

async function openTwo(shared: Shared) {
  const [one, other] = [await openReplica(shared), await openReplica(shared)];
  const balancer = await openBalancer([one.url, other.url]);
  onTestFinished(() => balancer.close());
  return { one, other, url: balancer.url };
}

const HELLO = [{ role: "user", content: "Hello." }];

describe.skipIf(POSTGRES_SKIP !== "")(`two gateways on one PostgreSQL ${POSTGRES_SKIP}`, () => {
  it.each([
    ["a summary", { strategy: "native" }],
    ["what is taken out", { strategy: "middle-out" }],
  ])("go on with each other's sessions with the same bytes: %s", async (_, context) => {
    const shared = await makeShared({ context });
    const { url } = await openTwo(shared);
    const origins = await playTwice(url, 6, 24);
    expect(new Set(origins.flat())).toEqual(new Set(["raw", "new", "reused"]));
    expect(origins.filter(([first]) => first === "new").length).toBeLessThan(5);
    expectContinued(shared.upstream, origins);
  });

  it("refer to what the other one has sent", async () => {
    const shared = await makeShared({ context: { strategy: "lossless" }, window: 100_000 });
    const { url } = await openTwo(shared);
    const tools = [{ name: "read", input_schema: { type: "object" } }];
    for (let reads = 0; reads <= 8; reads++) {
      expect((await say(url, readsOf(reads), { fields: { tools } })).status).toBe(200);
    }
    const turns = shared.upstream.turns().map(messagesIn);
    for (const [index, messages] of turns.entries()) {
      const before = turns[index - 1] ?? [];
      expect(messages.slice(0, before.length), `turn ${index}`).toEqual(before);
    }
    for (const message of turns.at(-1)?.slice(6) ?? []) expect(message).not.toContain("line 30 of");
  });

  it("have one summary written where both get the same conversation at once", async () => {
    const shared = await makeShared({ context: { strategy: "native" } });
    const { one, other } = await openTwo(shared);
    const release = shared.upstream.hold("asks");
    const answers = [one, other, other].map(({ url }) => say(url, turn(30)));
    await expect.poll(() => shared.upstream.asks().length, { timeout: 10_000 }).toBeGreaterThan(0);
    for (const { url } of [one, other, one, other]) expect((await say(url, HELLO)).status).toBe(200);
    release();
    expect((await Promise.all(answers)).map(originOf)).toEqual(["new", "new", "new"]);
    expectAskedOnce(shared.upstream);
    expect(new Set(shared.upstream.turns().slice(4)).size).toBe(1);
  });

  it("see each other's settings within a second", async () => {
    const { one, other } = await openTwo(await makeShared());
    const strategy = () => other.settings.layered.config.context.strategy;
    expect(strategy()).toBe("middle-out");
    await one.settings.change({ entries: [{ path: "context.strategy", value: "sliding-window" }], by: "operator" });
    await expect.poll(strategy, { timeout: 1_000, interval: 20 }).toBe("sliding-window");
    expect((await say(other.url, turn(30))).headers["x-longhaul-strategy"]).toBe("sliding-window");
  });

  async function addKey({ config }: Shared, limits: KeyLimits) {
    const store = await openStore({ ...Object(config).store, nowMs: Date.now });
    onTestFinished(() => store.close());
    const { key, stored } = makeKey({ name: "ci", limits, createdAtMs: Date.now() });
    await store.keys.create(stored);
    return { "x-api-key": key };
  }

  it("count a key's requests together", async () => {
    const shared = await makeShared();
    const minute = () => Math.floor(Date.now() / 60_000);
    for (let since = -1; since !== minute(); ) {
      since = minute();
      const key = await addKey(shared, { requestsPerMinute: 4 });
      const { url } = await openTwo(shared);
      const statuses: number[] = [];
      for (let count = 0; count < 8; count++) statuses.push((await say(url, HELLO, { headers: key })).status);
      // A new minute allows four more.
      if (since === minute()) expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429]);
    }
  });

  it("count a key's requests under way together", async () => {
    const shared = await makeShared();
    const key = await addKey(shared, { concurrent: 2 });
    const { one, other } = await openTwo(shared);
    const release = shared.upstream.hold("all");
    const under = [one, other].map(({ url }) => say(url, HELLO, { headers: key }));
    await expect.poll(() => shared.upstream.turns().length, { timeout: 10_000 }).toBe(2);
    for (const { url } of [one, other]) expect((await say(url, HELLO, { headers: key })).status).toBe(429);
    release();
    expect((await Promise.all(under)).map(({ status }) => status)).toEqual([200, 200]);
    await expect.poll(async () => (await say(other.url, HELLO, { headers: key })).status, { timeout: 5_000 }).toBe(200);
  });
});
