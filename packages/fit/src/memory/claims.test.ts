import type { Leases, Store } from "@longhaul/store";
import { makeMapLeases } from "@longhaul/store/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeStore } from "../testing/index.ts";
import { makeClaims } from "./claims.ts";
import { tolerantStore } from "./tolerant-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Two gateways with the same leases. */
function openTwo() {
  const leases = makeMapLeases();
  const open = () => makeClaims({ leases, nowMs: Date.now });
  return { leases, one: open(), other: open() };
}

describe("claims", () => {
  it("belong to one gateway, and to another after their release", async () => {
    const { one, other } = openTwo();
    const claim = await one.take("scope", ["a", "b"]);
    expect(claim).toBeDefined();
    expect(await other.take("scope", ["a", "b"])).toBeUndefined();
    await claim?.release();
    expect(await other.take("scope", ["a", "b"])).toBeDefined();
    expect(await one.take("scope", ["a", "b"])).toBeUndefined();
  });

  it("cover later turns of the same conversation, and no other conversation", async () => {
    const { one, other } = openTwo();
    await one.take("scope", ["a", "b"]);
    expect(await other.take("scope", ["a", "b", "c", "d"])).toBeUndefined();
    expect(await other.take("scope", ["a", "x"])).toBeDefined();
    expect(await other.take("elsewhere", ["a", "b"])).toBeDefined();
  });

  it("look back only a few turns", async () => {
    const { one, other } = openTwo();
    await one.take("scope", ["0"]);
    const prefixes = Array.from({ length: 50 }, (_, index) => `${index}`);
    expect(await other.take("scope", prefixes)).toBeUndefined();
    expect(await other.take("scope", [...prefixes, "50"])).toBeDefined();
  });

  it("do not block their own gateway", async () => {
    const { one, other } = openTwo();
    const first = await one.take("scope", ["a"]);
    expect(await one.take("scope", ["a", "b"])).toBeDefined();
    const released = first?.release();
    const again = one.take("scope", ["a"]);
    await Promise.all([released, again]);
    expect(await again).toBeDefined();
    expect(await other.take("scope", ["a"])).toBeUndefined();
  });

  it("last as long as needed, and end soon after a gateway has died", async () => {
    const { leases, other } = openTwo();
    let isDead = false;
    const take: Leases["take"] = async (lease) => isDead || (await leases.take(lease));
    await makeClaims({ leases: { ...leases, take }, nowMs: Date.now }).take("scope", ["a"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await other.take("scope", ["a"])).toBeUndefined();
    isDead = true;
    await vi.advanceTimersByTimeAsync(5_900);
    expect(await other.take("scope", ["a"])).toBeUndefined();
    await vi.advanceTimersByTimeAsync(100);
    expect(await other.take("scope", ["a"])).toBeDefined();
  });

  it("are granted to everyone if the store fails", async () => {
    const closed: Store = await makeStore();
    await closed.close();
    const { leases } = tolerantStore(closed);
    const [one, other] = [1, 2].map(() => makeClaims({ leases, nowMs: Date.now }));
    const claims = [await one?.take("scope", ["a"]), await other?.take("scope", ["a"])];
    expect(claims.map((claim) => claim !== undefined)).toEqual([true, true]);
    await Promise.all(claims.map((claim) => claim?.release()));
  });
});
