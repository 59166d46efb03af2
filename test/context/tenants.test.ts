import { DatabaseSync } from "node:sqlite";
import { makeKey } from "@longhaul/admin";
import type { JsonObject } from "@longhaul/conversation";
import { type KeyLimits, openStore, type Store } from "@longhaul/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeStorePath, openRig, type Rig, type RigOptions, turn } from "./rig.ts";

interface Keyed {
  readonly rig: Rig;
  readonly store: Store;
  readonly storePath: string;
  /** A new key's headers, and its id. */
  addKey(options?: KeyOptions): Promise<{ readonly "x-longhaul-key": string; readonly id: string }>;
}

interface KeyOptions {
  readonly tenant?: string;
  readonly limits?: KeyLimits;
  readonly context?: JsonObject;
}

/** A gateway that asks for keys, and its store beside it. */
async function openKeyed(options: RigOptions = {}): Promise<Keyed> {
  const storePath = makeStorePath();
  const store = await openStore({ path: storePath, nowMs: Date.now });
  onTestFinished(() => store.close());
  const addKey: Keyed["addKey"] = async (options = {}) => {
    const { key, stored } = makeKey({ name: "test", createdAtMs: Date.now(), ...options });
    await store.keys.create(stored);
    return { "x-longhaul-key": key, id: stored.id };
  };
  await addKey();
  const rig = await openRig({ ...options, storePath });
  onTestFinished(rig.close);
  return { rig, store, storePath, addKey };
}

function sentLast(rig: Rig): string {
  return JSON.stringify(rig.turns().at(-1)?.body);
}

describe("tenants", () => {
  it("never share an epoch, while keys of one tenant do", async () => {
    const { rig, store, addKey } = await openKeyed();
    const ours = await addKey({ tenant: "ours" });
    const oursToo = await addKey({ tenant: "ours" });
    const theirs = await addKey({ tenant: "theirs" });
    const origins: (string | null)[] = [];
    for (const headers of [ours, oursToo, theirs, theirs]) {
      origins.push((await rig.say(turn(30), {}, headers)).headers.get("x-longhaul-context"));
    }
    expect(origins).toEqual(["new", "reused", "new", "reused"]);
    await rig.restart();
    const later = await rig.say(turn(30), {}, theirs);
    expect(later.headers.get("x-longhaul-context")).toBe("reused");
    const events = await store.events.condensations({ limit: 10 });
    expect(events.map(({ tenant, keyId }) => [tenant, keyId])).toEqual([
      ["theirs", theirs.id],
      ["ours", ours.id],
    ]);
    const requests = await store.events.requests({ limit: 10, tenant: "ours" });
    expect(requests.map(({ keyId }) => keyId)).toEqual([oursToo.id, ours.id]);
  });

  it("never see each other's responses", async () => {
    const { rig, addKey } = await openKeyed();
    const ours = await addKey({ tenant: "ours" });
    const oursToo = await addKey({ tenant: "ours" });
    const theirs = await addKey({ tenant: "theirs" });
    const body = { model: "claude-sonnet-4-5", input: "Hello." };
    const { id } = JSON.parse((await rig.post("/v1/responses", body, ours)).text);
    const next = { ...body, previous_response_id: id };
    expect((await rig.post("/v1/responses", next, oursToo)).status).toBe(200);
    expect((await rig.post("/v1/responses", next, theirs)).status).toBe(400);
    const read = (headers: Record<string, string>) => fetch(`${rig.gateway.url}/v1/responses/${id}`, { headers });
    expect([(await read(oursToo)).status, (await read(theirs)).status]).toEqual([200, 403]);
  });
});

describe("a key's context settings", () => {
  it("go before the global ones, and behind those of a route", async () => {
    const routes = [
      { match: "claude-opus-*", upstream: "anthropic", context: { strategy: "native" } },
      { match: "claude-*", upstream: "anthropic" },
    ];
    const { rig, store, addKey } = await openKeyed({ config: { routes } });
    const plain = await addKey();
    const own = await addKey({ context: { strategy: "sliding-window" } });
    const off = await addKey({ context: { mode: "off" } });
    for (const headers of [plain, own]) expect((await rig.say(turn(30), {}, headers)).status).toBe(200);
    await rig.say(turn(30), { model: "claude-opus-4-6" }, own);
    expect((await rig.say(turn(30), {}, off)).status).toBe(400);
    await rig.restart();
    const events = await store.events.condensations({ limit: 10 });
    expect(events.map(({ keyId, strategy }) => [keyId, strategy])).toEqual([
      [own.id, "native"],
      [own.id, "sliding-window"],
      [plain.id, "smart"],
    ]);
  });

  it("hold soon after they were changed", async () => {
    const { rig, store, addKey } = await openKeyed();
    const headers = await addKey();
    await rig.say(turn(30), {}, headers);
    const before = sentLast(rig);
    await store.keys.change(headers.id, { context: { strategy: "sliding-window" } });
    await expect
      .poll(async () => {
        await rig.say(turn(30), {}, headers);
        return sentLast(rig) === before;
      })
      .toBe(false);
  });
});

describe("spending", () => {
  it("counts the summaries of a key's conversations", async () => {
    const { rig, store, addKey } = await openKeyed({ context: { strategy: "native" } });
    const headers = await addKey({ limits: { usdPerMonth: 100 } });
    expect((await rig.say(turn(30), {}, headers)).status).toBe(200);
    await rig.restart();
    const [summary] = await store.events.condensations({ limit: 1 });
    const [request] = await store.events.requests({ limit: 1 });
    const spent = (summary?.costUsd ?? 0) + (request?.costUsd ?? 0);
    expect(summary?.costUsd).toBeGreaterThan(0);
    expect((await store.limits.used(headers.id, Date.now())).usdThisMonth).toBeCloseTo(spent, 10);
  });
});

describe("a store that is down", () => {
  it("is missed by no key in use, with and without limits", async () => {
    const { rig, storePath, addKey } = await openKeyed();
    const limited = await addKey({ limits: { requestsPerMinute: 1_000, usdPerDay: 5 } });
    const plain = await addKey();
    for (const headers of [limited, plain]) expect((await rig.say(turn(2), {}, headers)).status).toBe(200);
    const other = new DatabaseSync(storePath, { timeout: 10_000 });
    const tables = other.prepare("select name from sqlite_master where type = 'table'").all();
    const kept = tables.map(({ name }) => `${name}`).filter((name) => !name.startsWith("sqlite_"));
    for (const name of kept) other.exec(`alter table "${name}" rename to "gone_${name}"`);
    for (const headers of [limited, plain, limited, plain]) {
      expect((await rig.say(turn(3), {}, headers)).status).toBe(200);
      expect((await rig.say(turn(30), {}, headers)).status).toBe(200);
    }
    const unknown = await rig.say(turn(1), {}, { "x-longhaul-key": makeKey({ name: "", createdAtMs: 0 }).key });
    expect([unknown.status, JSON.parse(unknown.text).error.type]).toEqual([503, "overloaded_error"]);
    expect(unknown.headers.get("retry-after")).toBe("5");
    for (const name of kept) other.exec(`alter table "gone_${name}" rename to "${name}"`);
    other.close();
    expect((await rig.say(turn(1), {}, { "x-longhaul-key": makeKey({ name: "", createdAtMs: 0 }).key })).status).toBe(
      401,
    );
    expect((await rig.say(turn(1), {}, limited)).status).toBe(200);
  });

  it("decides by the last known counts while another process holds it", async () => {
    const { rig, storePath, addKey } = await openKeyed();
    const headers = await addKey({ limits: { usdPerDay: 0.000_001 } });
    const free = await addKey({ limits: { usdPerDay: 5 } });
    for (const key of [headers, free]) expect((await rig.say(turn(1), {}, key)).status).toBe(200);
    const other = new DatabaseSync(storePath);
    // The gateway writes in the same process, so this must not block.
    await expect.poll(() => other.exec("begin immediate")).toBeUndefined();
    expect((await rig.say(turn(1), {}, free)).status).toBe(200);
    const refused = await rig.say(turn(1), {}, headers);
    expect([refused.status, JSON.parse(refused.text).error.message]).toEqual([
      429,
      expect.stringContaining("(usdPerDay)"),
    ]);
    other.exec("rollback");
    other.close();
  });
});
