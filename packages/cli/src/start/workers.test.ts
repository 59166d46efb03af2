import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { runWorkers, type WorkerPool, type WorkerProcess } from "./workers.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a worker that a test makes ready and ends. */
function makeWorker(orders: string[], name: string) {
  const { promise: ready, resolve: beReady } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<number | string>();
  const process: WorkerProcess = { ready, ended, send: (order) => void orders.push(`${name}: ${order}`) };
  return { process, beReady, end };
}

/** Makes a pool that records its workers, with a clock that only waiting advances. */
function openPool(count: number) {
  const orders: string[] = [];
  const workers: ReturnType<typeof makeWorker>[] = [];
  const pauses: number[] = [];
  let now = 0;
  const pool: WorkerPool = {
    count,
    fork: () => {
      const worker = makeWorker(orders, `${workers.length + 1}`);
      workers.push(worker);
      return worker.process;
    },
    wait: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
    nowMs: () => now,
  };
  const terminal = makeTerminal(folder);
  const started = async (number: number) => {
    await expect.poll(() => workers.length).toBeGreaterThanOrEqual(number);
    const worker = workers[number - 1];
    if (worker === undefined) throw new Error(`worker ${number} was not started`);
    return worker;
  };
  const live = (ms: number) => {
    now += ms;
  };
  return { pool, terminal, orders, workers, pauses, started, live };
}

describe("runWorkers", () => {
  it("starts the others once the first one is ready, and only the first prints the banner", async () => {
    const { pool, terminal, orders, workers, started } = openPool(3);
    const running = runWorkers(pool, terminal);
    expect(workers).toHaveLength(1);
    workers[0]?.beReady();
    await started(3);
    expect(orders).toEqual(["1: announce"]);
    terminal.stop();
    await expect.poll(() => orders.length).toBe(4);
    expect(orders.slice(1)).toEqual(["1: stop", "2: stop", "3: stop"]);
    let isOver = false;
    void running.then(() => (isOver = true));
    workers[0]?.end(0);
    workers[1]?.end(0);
    await Promise.resolve();
    expect(isOver).toBe(false);
    workers[2]?.end(0);
    await running;
    expect([workers.length, terminal.errors()]).toEqual([3, ""]);
  });

  it("starts no others if the first one fails", async () => {
    const { pool, terminal, workers } = openPool(2);
    const running = runWorkers(pool, terminal);
    workers[0]?.end(1);
    await expect(running).rejects.toMatchObject({
      code: "settings.invalid",
      message: expect.stringContaining("(exit code 1)"),
    });
    expect(workers).toHaveLength(1);
  });

  it("restarts a worker with growing pauses, and with a short one after a long run", async () => {
    const { pool, terminal, workers, pauses, started, live } = openPool(2);
    const running = runWorkers(pool, terminal);
    workers[0]?.beReady();
    (await started(2)).end("SIGKILL");
    for (let number = 3; number < 12; number++) (await started(number)).end(1);
    await started(12);
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000]);
    expect(terminal.errors().split("\n")[0]).toBe("longhaul: a worker ended (SIGKILL); restarting it in 0.1 s");
    live(60_000);
    workers[11]?.end(1);
    (await started(13)).end(1);
    await started(14);
    expect(pauses.slice(10)).toEqual([100, 200]);
    terminal.stop();
    await expect.poll(() => terminal.errors().split("\n").length).toBe(13);
    workers[0]?.end(0);
    workers[13]?.end(0);
    await running;
  });

  it("restarts no worker once it is stopped", async () => {
    const { pool, terminal, workers, started } = openPool(2);
    const { promise: waiting, resolve: markWaiting } = Promise.withResolvers<void>();
    const wait: WorkerPool["wait"] = (_, signal) => {
      markWaiting();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const running = runWorkers({ ...pool, wait }, terminal);
    workers[0]?.beReady();
    (await started(2)).end(1);
    await waiting;
    terminal.stop();
    workers[0]?.end(0);
    await running;
    expect(workers).toHaveLength(2);
  });

  it("stops a worker that was not listening yet", async () => {
    const { pool, terminal, orders, workers, started } = openPool(2);
    const running = runWorkers(pool, terminal);
    workers[0]?.beReady();
    const second = await started(2);
    terminal.stop();
    await expect.poll(() => orders).toEqual(["1: announce", "1: stop", "2: stop"]);
    second.beReady();
    await expect.poll(() => orders.filter((order) => order === "2: stop")).toHaveLength(2);
    for (const { end } of workers) end(0);
    await running;
  });

  it("starts no others if it is stopped before the first one is ready", async () => {
    const { pool, terminal, workers } = openPool(2);
    const running = runWorkers(pool, terminal);
    terminal.stop();
    await Promise.resolve();
    workers[0]?.end(0);
    await running;
    expect(workers).toHaveLength(1);
  });

  it("forwards reload requests", async () => {
    const { pool, terminal, orders, workers, started } = openPool(2);
    const running = runWorkers(pool, terminal);
    workers[0]?.beReady();
    await started(2);
    terminal.reload();
    expect(orders).toEqual(["1: announce", "1: reload", "2: reload"]);
    terminal.stop();
    for (const { end } of workers) end(0);
    await running;
    terminal.reload();
    expect(orders.filter((order) => order.endsWith("reload"))).toHaveLength(2);
  });
});
