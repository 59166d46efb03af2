import { makeKey, type NewKey } from "@longhaul/admin";
import { type Breakable, makeBreakable } from "@longhaul/fit/testing";
import { openStore, type Store } from "@longhaul/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KeyRing } from "./key-ring.ts";

const MINUTE_MS = 60_000;

describe("KeyRing", () => {
  let store: Store;
  let keys: Breakable<Store["keys"]>;
  let ring: KeyRing;
  let made: NewKey;
  let nowMs: number;
  let onChange: () => void;
  const warnings: string[] = [];

  beforeEach(async () => {
    nowMs = 1_000_000;
    warnings.length = 0;
    store = await openStore({ path: ":memory:", nowMs: () => nowMs });
    keys = makeBreakable(store.keys);
    ring = await openRing();
    made = makeKey({ name: "laptop", createdAtMs: nowMs });
  });
  afterEach(async () => {
    ring.close();
    await store.close();
  });

  async function openRing(): Promise<KeyRing> {
    const changes = {
      listen: (onEvent: (kind: "keys" | "settings") => void) => {
        onChange = () => onEvent("keys");
        onEvent("settings");
        return () => {};
      },
    };
    const warn = (what: string) => void warnings.push(what);
    return await KeyRing.open({ keys: keys.part, changes, nowMs: () => nowMs, warn, limitMs: 400 });
  }

  it("finds a new key", async () => {
    await store.keys.create(made.stored);
    const { id, name, tenant } = made.stored;
    expect(await ring.find(made.key)).toEqual({ keyId: id, name, tenant, models: [], limits: {} });
  });

  it("finds neither an unknown nor a revoked key", async () => {
    expect(await ring.find(made.key)).toBeUndefined();
    await store.keys.create({ ...made.stored, revokedAtMs: nowMs });
    expect(await ring.find(made.key)).toBeUndefined();
  });

  it("asks the store once for a key in use", async () => {
    await store.keys.create(made.stored);
    await Promise.all([ring.find(made.key), ring.find(made.key)]);
    const asked = keys.asked();
    nowMs += MINUTE_MS - 1;
    await ring.find(made.key);
    expect(keys.asked()).toBe(asked);
  });

  it("asks the store for every unknown or revoked key each time", async () => {
    await store.keys.create({ ...made.stored, revokedAtMs: nowMs });
    const before = keys.asked();
    for (const key of [made.key, made.key, "lh_unknown", "lh_unknown"]) await ring.find(key);
    expect(keys.asked() - before).toBe(4);
  });

  it("rejects a revoked key after a change notification", async () => {
    await store.keys.create(made.stored);
    expect(await ring.find(made.key)).toBeDefined();
    await store.keys.revoke(made.stored.id, nowMs);
    onChange();
    expect(await ring.find(made.key)).toBeUndefined();
  });

  it("reads changed models, limits and context settings after a change notification", async () => {
    await store.keys.create(made.stored);
    await ring.find(made.key);
    await store.keys.change(made.stored.id, {
      models: ["gpt-*"],
      limits: { concurrent: 1 },
      context: { strategy: "smart" },
    });
    onChange();
    expect(await ring.find(made.key)).toMatchObject({
      models: ["gpt-*"],
      limits: { concurrent: 1 },
      context: { strategy: "smart" },
    });
  });

  it("notices a change without notification after a minute", async () => {
    await store.keys.create(made.stored);
    await ring.find(made.key);
    await store.keys.revoke(made.stored.id, nowMs);
    nowMs += MINUTE_MS;
    expect(await ring.find(made.key)).toBeDefined();
    await expect.poll(() => ring.find(made.key)).toBeUndefined();
  });

  it("ignores invalid context settings with a warning", async () => {
    await store.keys.create({ ...made.stored, context: { strategy: "nonsense" } });
    expect(await ring.find(made.key)).not.toHaveProperty("context");
    expect(warnings[0]).toContain(`"laptop" (${made.stored.id}) are ignored: strategy:`);
  });

  it.each(["fails", "hangs"] as const)("accepts keys in use for ten minutes while the store %s", async (how) => {
    await store.keys.create(made.stored);
    await ring.find(made.key);
    keys.breakIt(how);
    onChange();
    expect(await ring.find(made.key)).toBeDefined();
    const asked = keys.asked();
    expect(await ring.find(made.key)).toBeDefined();
    expect(keys.asked()).toBe(asked);
    nowMs += 10 * MINUTE_MS - 1;
    expect(await ring.find(made.key)).toBeDefined();
    nowMs += 1;
    await expect(ring.find(made.key)).rejects.toMatchObject({ code: "store.unavailable", retryAfterMs: 5_000 });
    keys.breakIt("works");
    expect(await ring.find(made.key)).toBeDefined();
    expect(warnings).toEqual([expect.stringContaining("keys in use stay valid for ten minutes")]);
  });

  it("throws store.unavailable for an unknown key while the store is down", async () => {
    keys.breakIt("fails");
    await expect(ring.find(made.key)).rejects.toMatchObject({ code: "store.unavailable", status: 503 });
  });

  describe("hasKeys", () => {
    it("is true from the first key on, even if it was revoked", async () => {
      expect(await ring.hasKeys()).toBe(false);
      await store.keys.create(made.stored);
      onChange();
      expect(await ring.hasKeys()).toBe(true);
      await store.keys.revoke(made.stored.id, nowMs);
      onChange();
      expect(await ring.hasKeys()).toBe(true);
      ring = await openRing();
      expect(await ring.hasKeys()).toBe(true);
    });

    it("is false again once all keys are deleted, and unchanged while the store fails", async () => {
      await store.keys.create(made.stored);
      onChange();
      expect(await ring.hasKeys()).toBe(true);
      await store.keys.delete(made.stored.id);
      keys.breakIt("fails");
      onChange();
      expect(await ring.hasKeys()).toBe(true);
      keys.breakIt("works");
      nowMs += 5_000;
      expect(await ring.hasKeys()).toBe(false);
      expect(await ring.find(made.key)).toBeUndefined();
    });

    it("asks again after the store failed", async () => {
      await store.keys.create(made.stored);
      keys.breakIt("fails");
      onChange();
      expect(await ring.hasKeys()).toBe(false);
      keys.breakIt("works");
      nowMs += 5_000;
      expect(await ring.hasKeys()).toBe(true);
    });
  });
});
