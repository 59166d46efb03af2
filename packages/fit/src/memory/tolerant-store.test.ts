import { LonghaulError } from "@longhaul/conversation";
import type { Epoch, Store } from "@longhaul/store";
import { makeCalibration, makeEpoch, makeFront, makeLease, makeWindow } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { makeBreakable } from "../testing/failing-store.ts";
import { makeStore } from "../testing/index.ts";
import { makeStoreTrouble, tolerantStore } from "./tolerant-store.ts";

const openClosed = async () => {
  const store = await makeStore();
  await store.close();
  return store;
};

describe("tolerantStore", () => {
  it("reads what it wrote", async () => {
    const warnings: string[] = [];
    const store = tolerantStore(await makeStore(), { warn: (what) => warnings.push(what), nowMs: () => 0 });
    const [epoch, window, calibration] = [makeEpoch(), makeWindow(), makeCalibration()];
    await store.epochs.put(epoch);
    await store.windows.learn(window);
    await store.calibrations.save(calibration);
    expect(await store.epochs.find(epoch.scope, [epoch.prefix])).toEqual([epoch]);
    expect(await store.windows.list()).toEqual([window]);
    expect(await store.calibrations.load()).toEqual([calibration]);
    await store.epochs.remove(epoch.scope, epoch.prefix);
    expect(await store.epochs.find(epoch.scope, [epoch.prefix])).toEqual([]);
    await store.epochs.put(epoch);
    expect(await store.epochs.prune(60_001, 1e9)).toBe(1);
    const lease = makeLease();
    expect([await store.leases.take(lease), await store.leases.take({ ...lease, holder: "other" })]).toEqual([
      true,
      false,
    ]);
    expect(await store.leases.held([lease.name], 0)).toEqual(new Set([lease.name]));
    await store.leases.release(lease.name, lease.holder);
    expect(await store.leases.held([lease.name], 0)).toEqual(new Set());
    expect(warnings).toEqual([]);
  });

  it("returns nothing and drops writes if the store fails, and reports it once", async () => {
    const warnings: string[] = [];
    const store = tolerantStore(await openClosed(), { warn: (what) => warnings.push(what), nowMs: () => 0 });
    await store.epochs.put(makeEpoch());
    await store.epochs.remove("scope", "prefix");
    await store.windows.learn(makeWindow());
    await store.calibrations.save(makeCalibration());
    expect(await store.epochs.find("scope", ["prefix"])).toEqual([]);
    expect(await store.epochs.prune(0, 1e9)).toBe(0);
    expect(await store.windows.list()).toBeUndefined();
    expect(await store.calibrations.load()).toEqual([]);
    await store.leases.release("summary", "holder");
    expect([await store.leases.take(makeLease()), await store.leases.held(["summary"], 0)]).toEqual([true, new Set()]);
    expect(warnings).toEqual([expect.stringContaining("(store.unavailable)")]);
  });

  it("reports each kind of failure, also unexpected ones", async () => {
    const warnings: string[] = [];
    const failures = [
      new LonghaulError("store.damaged", "the file is damaged"),
      new LonghaulError("store.unavailable", "the disk is full"),
      new TypeError("not a function"),
      new LonghaulError("store.damaged", "the file is damaged"),
    ];
    const closed = await openClosed();
    const failing: Store = { ...closed, epochs: { ...closed.epochs, put: () => Promise.reject(failures.shift()) } };
    const store = tolerantStore(failing, { warn: (what) => warnings.push(what), nowMs: () => 0 });
    for (let tries = 0; tries < 4; tries++) await store.epochs.put(makeEpoch());
    expect(warnings.map((what) => /\((.*?)\): (.*)/.exec(what)?.slice(1))).toEqual([
      ["store.damaged", "the file is damaged"],
      ["store.unavailable", "the disk is full"],
      ["internal.bug", "TypeError: not a function"],
    ]);
  });

  it("reports when the store works again, and when it fails again", async () => {
    const warnings: string[] = [];
    const kept = await makeStore();
    const { part, breakIt } = makeBreakable(kept.epochs);
    let now = 0;
    const store = tolerantStore({ ...kept, epochs: part }, { warn: (what) => warnings.push(what), nowMs: () => now });
    for (const how of ["works", "fails", "works", "fails"] as const) {
      breakIt(how);
      await store.epochs.put(makeEpoch());
      now += 60_000;
    }
    expect(warnings).toEqual([
      expect.stringContaining("the database is down"),
      "persistent store available again",
      expect.stringContaining("the database is down"),
    ]);
    await kept.close();
  });

  it("returns nothing if the store hangs, and does not ask it again until it answers", async () => {
    const warnings: string[] = [];
    const kept = await makeStore();
    const answer = Promise.withResolvers<readonly Epoch[]>();
    const asked: string[] = [];
    const find = (scope: string) => {
      asked.push(scope);
      return scope === "slow" ? answer.promise : Promise.resolve([makeEpoch()]);
    };
    const store = tolerantStore(
      { ...kept, epochs: { ...kept.epochs, find } },
      { warn: (what) => warnings.push(what), nowMs: () => 0 },
    );
    expect(await store.epochs.find("slow", [])).toEqual([]);
    expect(await store.epochs.find("fast", [])).toEqual([]);
    expect([asked, warnings]).toEqual([["slow"], [expect.stringContaining("no answer within 100 ms")]]);
    answer.reject(new Error("too late"));
    await expect.poll(() => store.epochs.find("fast", [])).toEqual([makeEpoch()]);
  });

  it("asks for epochs and leases although facts about conversations are late", async () => {
    const warnings: string[] = [];
    const kept = await makeStore();
    const never = () => new Promise<never>(() => {});
    const store = tolerantStore(
      { ...kept, fronts: { ...kept.fronts, find: never, read: never } },
      { warn: (what) => warnings.push(what), nowMs: () => 0 },
    );
    const [epoch, lease] = [makeEpoch(), makeLease()];
    await kept.epochs.put(epoch);
    await kept.leases.take(lease);
    expect(await store.fronts.find(["key"])).toEqual([]);
    expect(await store.fronts.read(makeFront())).toBeUndefined();
    expect(await store.epochs.find(epoch.scope, [epoch.prefix])).toEqual([epoch]);
    expect(await store.leases.take({ ...lease, holder: "other" })).toBe(false);
    expect(await store.leases.held([lease.name], 0)).toEqual(new Set([lease.name]));
    expect(warnings[0]).toContain("no answer within 50 ms");
  });

  it("asks for epochs although leases are late", async () => {
    const kept = await makeStore();
    const held = () => new Promise<never>(() => {});
    const store = tolerantStore({ ...kept, leases: { ...kept.leases, held } }, { nowMs: () => 0 });
    const epoch = makeEpoch();
    await kept.epochs.put(epoch);
    expect(await store.leases.held(["summary"], 0)).toEqual(new Set());
    expect(await store.epochs.find(epoch.scope, [epoch.prefix])).toEqual([epoch]);
  });

  it("stores epochs although facts about a thousand conversations are not stored yet", async () => {
    const kept = await makeStore();
    const put = () => new Promise<never>(() => {});
    const store = tolerantStore({ ...kept, fronts: { ...kept.fronts, put } }, { nowMs: () => 0 });
    for (let writes = 0; writes < 1_000; writes++) void store.fronts.put(makeFront(), new Uint8Array());
    const epoch = makeEpoch();
    await store.epochs.put(epoch);
    expect(await kept.epochs.find(epoch.scope, [epoch.prefix])).toEqual([epoch]);
  });

  it("waits for the configured time", async () => {
    const warnings: string[] = [];
    const kept = await makeStore();
    const find = () => new Promise<never>(() => {});
    const options = { warn: (what: string) => warnings.push(what), waitMs: () => 1 };
    const store = tolerantStore({ ...kept, epochs: { ...kept.epochs, find } }, options);
    expect(await store.epochs.find("scope", [])).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("no answer within 1 ms (store.waitSeconds)")]);
  });

  it("retries a store that hangs after a second", async () => {
    const kept = await makeStore();
    let now = 0;
    const find = (scope: string) => (scope === "slow" ? new Promise<never>(() => {}) : Promise.resolve([makeEpoch()]));
    const store = tolerantStore({ ...kept, epochs: { ...kept.epochs, find } }, { nowMs: () => now });
    await store.epochs.find("slow", []);
    now = 1_000;
    expect(await store.epochs.find("fast", [])).toEqual([makeEpoch()]);
  });

  it("writes to a slow store in the background, and drops writes over the limit", async () => {
    const kept = await makeStore();
    const written = Promise.withResolvers<void>();
    let puts = 0;
    const put = () => {
      puts += 1;
      return written.promise;
    };
    const store = tolerantStore({ ...kept, epochs: { ...kept.epochs, put } }, { nowMs: () => 0 });
    await Promise.all(Array.from({ length: 1_100 }, () => store.epochs.put(makeEpoch())));
    expect(puts).toBe(1_000);
    written.resolve();
    await written.promise;
    await expect.poll(() => store.epochs.put(makeEpoch()).then(() => puts)).toBeGreaterThan(1_000);
  });
});

const MINUTE_MS = 60_000;
const away = new LonghaulError("store.unavailable", "away");
const AWAY = "persistent store unavailable (store.unavailable): away";
const AGAIN = "persistent store available again";

function openTrouble() {
  const warnings: string[] = [];
  let now = 0;
  const trouble = makeStoreTrouble({ warn: (what) => void warnings.push(what), nowMs: () => now });
  return { ...trouble, warnings, pass: (ms: number) => (now += ms) };
}

describe("makeStoreTrouble", () => {
  it("reports a failure once while it lasts, its end, and its return", () => {
    const { failed, worked, warnings, pass } = openTrouble();
    worked("reading");
    for (let hour = 0; hour < 3; hour++) {
      failed("reading", away);
      pass(60 * MINUTE_MS);
    }
    expect(warnings).toEqual([AWAY]);
    worked("reading");
    worked("reading");
    expect(warnings).toEqual([AWAY, AGAIN]);
    failed("reading", away);
    expect(warnings).toEqual([AWAY, AGAIN, AWAY]);
  });

  it("is not over while only reading works", () => {
    const { failed, worked, warnings } = openTrouble();
    failed("writing", away);
    worked("reading");
    expect(warnings).toEqual([AWAY]);
    failed("reading", away);
    worked("writing");
    expect(warnings).toEqual([AWAY]);
    worked("reading");
    expect(warnings).toEqual([AWAY, AGAIN]);
  });

  it("logs two lines a minute at most if the store is flapping", () => {
    const { failed, worked, warnings, pass } = openTrouble();
    for (let second = 0; second < 120; second++) {
      failed("reading", away);
      worked("reading");
      pass(1_000);
    }
    expect(warnings).toEqual([AWAY, AGAIN, AWAY, AGAIN]);
  });

  it("reports each kind of failure", () => {
    const { failed, warnings } = openTrouble();
    failed("writing", away);
    failed("writing", new LonghaulError("store.damaged", "torn"));
    failed("writing", new TypeError("not a function"));
    expect(warnings).toHaveLength(3);
    expect(warnings[2]).toContain("(internal.bug): TypeError: not a function");
  });
});
