import type { Leases, Store } from "@longhaul/store";
import { makeMapLeases } from "@longhaul/store/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeStore } from "../testing/index.ts";
import { makeClaims } from "./claims.ts";
import { tolerantStore } from "./tolerant-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Two gateways on the same leases. */
function openTwo() {
  const leases = makeMapLeases();
  const open = () => makeClaims({ leases, nowMs: Date.now });
  return { leases, one: open(), other: open() };
}

describe("claims", () => {
  it("go to one gateway, and to another when they are released", async () => {
    const { one, other } = openTwo();
    const claim = await one.take("scope", ["a", "b"]);
    expect(claim).toBeDefined();
    expect(await other.take("scope", ["a", "b"])).toBeUndefined();
    await claim?.release();
    expect(await other.take("scope", ["a", "b"])).toBeDefined();
    expect(await one.take("scope", ["a", "b"])).toBeUndefined();
  });

  it("hold for the turns after the one that they were made on, and for no other conversation", async () => {
    const { one, other } = openTwo();
    await one.take("scope", ["a", "b"]);
    expect(await other.take("scope", ["a", "b", "c", "d"])).toBeUndefined();
    expect(await other.take("scope", ["a", "x"])).toBeDefined();
    expect(await other.take("elsewhere", ["a", "b"])).toBeDefined();
  });

  it("look no further back than a few turns", async () => {
    const { one, other } = openTwo();
    await one.take("scope", ["0"]);
    const prefixes = Array.from({ length: 50 }, (_, index) => `${index}`);
    expect(await other.take("scope", prefixes)).toBeUndefined();
    expect(await other.take("scope", [...prefixes, "50"])).toBeDefined();
  });

  it("are no hindrance to the gateway that has them", async () => {
    const { one, other } = openTwo();
    const first = await one.take("scope", ["a"]);
    expect(await one.take("scope", ["a", "b"])).toBeDefined();
    const released = first?.release();
    const again = one.take("scope", ["a"]);
    await Promise.all([released, again]);
    expect(await again).toBeDefined();
    expect(await other.take("scope", ["a"])).toBeUndefined();
  });

  it("last for as long as they are wanted, and end soon after a gateway has died", async () => {
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

  it("are everybody's where the store fails", async () => {
    const closed: Store = await makeStore();
    await closed.close();
    const { leases } = tolerantStore(closed);
    const [one, other] = [1, 2].map(() => makeClaims({ leases, nowMs: Date.now }));
    const claims = [await one?.take("scope", ["a"]), await other?.take("scope", ["a"])];
    expect(claims.map((claim) => claim !== undefined)).toEqual([true, true]);
    await Promise.all(claims.map((claim) => claim?.release()));
  });
});
