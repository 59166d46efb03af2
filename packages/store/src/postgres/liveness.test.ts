import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openRelay, POSTGRES_SKIP, type Relay } from "../testing/postgres.ts";
import { sharedPostgres } from "../testing/shared-postgres.ts";
import { readAddress } from "./address.ts";
import { closeWithTimeout, makeLivenessProbe, whileAlive } from "./liveness.ts";

const PATIENCE = { suspectMs: 100, limitMs: 1_000 };

describe("whileAlive", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("sends no probe if the answer comes soon", async () => {
    const isAlive = vi.fn(async () => true);
    expect(await whileAlive(Promise.resolve(7), { ...PATIENCE, isAlive })).toBe(7);
    await expect(whileAlive(Promise.reject(new Error("no")), { ...PATIENCE, isAlive })).rejects.toThrow("no");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isAlive).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits for a slow answer while probes succeed", async () => {
    const answer = new Promise((resolve) => setTimeout(() => resolve("late"), 950));
    const waiting = whileAlive(answer, { ...PATIENCE, isAlive: async () => true });
    await vi.advanceTimersByTimeAsync(950);
    expect(await waiting).toBe("late");
  });

  it("rejects after the first failed probe", async () => {
    const signs = [true, true, false];
    const waiting = whileAlive(new Promise(() => {}), { ...PATIENCE, isAlive: async () => signs.shift() ?? true });
    const refused = expect(waiting).rejects.toThrow("it stopped responding");
    await vi.advanceTimersByTimeAsync(300);
    await refused;
  });

  it("rejects after the limit even if the server is alive", async () => {
    const waiting = whileAlive(new Promise(() => {}), { ...PATIENCE, isAlive: async () => true });
    const refused = expect(waiting).rejects.toThrow("no answer in 1 s");
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
  });
});

describe.skipIf(POSTGRES_SKIP !== "")(`makeSignOfLife${POSTGRES_SKIP}`, () => {
  let relay: Relay | undefined;
  afterEach(() => relay?.close());

  it("counts an answer and a refusal as alive", async () => {
    const { port } = await sharedPostgres();
    expect(await signOf(port)).toBe(true);
    expect(await signOf(port, "absent")).toBe(true);
  });

  it("counts a closed port and a hanging server as dead", async () => {
    relay = await openRelay((await sharedPostgres()).port);
    relay.hang();
    expect(await signOf(relay.port)).toBe(false);
    expect(await signOf(1)).toBe(false);
  });

  it("shares one answer between concurrent probes", async () => {
    const isAlive = makeLivenessProbe(readAddress("postgres://127.0.0.1:1/longhaul"));
    const asking = isAlive();
    expect(isAlive()).toBe(asking);
    await asking;
    expect(isAlive()).not.toBe(asking);
  });

  function signOf(port: number, database = "postgres"): Promise<boolean> {
    return makeLivenessProbe(readAddress(`postgres://longhaul@127.0.0.1:${port}/${database}`))();
  }
});

describe("closing", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("waits until the connection is closed, with or without an error", async () => {
    await closeWithTimeout(Promise.resolve());
    await closeWithTimeout(Promise.reject(new Error("gone already")));
    expect(vi.getTimerCount()).toBe(0);
  });

  it("stops waiting for a connection that does not close", async () => {
    const left = closeWithTimeout(new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(left).resolves.toBeUndefined();
  });
});
