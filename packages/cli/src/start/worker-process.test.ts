import cluster from "node:cluster";
import { EventEmitter } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { wrapping } from "../terminal/output.ts";
import { makeTerminal } from "../testing/terminal.ts";
import {
  answerFigures,
  askFigures,
  findPrimary,
  forkWorker,
  type Peer,
  type WorkerChannel,
  workerTerminal,
} from "./worker-process.ts";

it("sends orders to a worker and reports its end", async () => {
  cluster.setupPrimary({ exec: fileURLToPath(new URL("../testing/obedient-worker.ts", import.meta.url)), args: [] });
  const worker = forkWorker({ simulatorUrl: "http://simulator" });
  await worker.ready;
  worker.send("announce");
  worker.send("reload");
  worker.send("stop");
  expect(await worker.ended).toBe(2);
  worker.send("reload");
  const killed = forkWorker({ simulatorUrl: "http://simulator" });
  await killed.ready;
  for (const each of Object.values(cluster.workers ?? {})) each?.process.kill("SIGKILL");
  expect(await killed.ended).toBe("SIGKILL");
});

/** Makes the worker's end of a channel. */
function makeChannel(env: NodeJS.ProcessEnv = {}) {
  const sent: unknown[] = [];
  const emitter = new EventEmitter();
  const channel: WorkerChannel = Object.assign(emitter, {
    env,
    send: (message: unknown) => {
      sent.push(message);
      return true;
    },
  });
  return { channel, sent, order: (order: string) => void emitter.emit("message", order), emitter };
}

it("returns no primary if this process is not a worker", () => {
  expect(findPrimary()).toBeUndefined();
});

it("receives orders of the primary and reports when it is ready", () => {
  const { channel, sent, order, emitter } = makeChannel({
    LONGHAUL_WORKER_SIMULATOR: "http://simulator",
    LONGHAUL_WORKER_PORT: "4141",
  });
  const primary = findPrimary(channel, 3);
  expect(primary).toMatchObject({ worker: 3, simulatorUrl: "http://simulator", port: 4141 });
  primary?.reportReady();
  expect(sent).toEqual(["ready"]);
  let greetings = 0;
  const ignore = primary?.on("announce", () => greetings++);
  order("announce");
  order("stop");
  ignore?.();
  order("announce");
  expect([greetings, emitter.listenerCount("message")]).toEqual([1, 0]);
});

it("exchanges figures with other workers through the primary", async () => {
  const { channel, sent, emitter } = makeChannel();
  const siblings = findPrimary(channel, 3)?.siblings;
  expect(siblings?.name).toBe("3");
  const stop = siblings?.answer(() => "ours");
  emitter.emit("message", { figures: "request", id: "a" });
  await expect.poll(() => sent).toEqual([{ figures: "reply", id: "a", texts: ["ours"] }]);
  stop?.();
  const asked = siblings?.ask();
  emitter.emit("message", { ...Object(sent[1]), figures: "reply", texts: ["theirs"] });
  expect(await asked).toEqual(["theirs"]);
  expect(emitter.listenerCount("message")).toBe(0);
});

it.each(["its primary", "a signal"])("stops a worker on the order of %s", async (who) => {
  const { channel, order } = makeChannel();
  const terminal = makeTerminal("/nowhere");
  const primary = findPrimary(channel, 1);
  if (primary === undefined) throw new Error("not a worker");
  const { stopped } = workerTerminal(terminal, primary);
  if (who === "a signal") terminal.stop();
  else order("stop");
  await expect(stopped()).resolves.toBeUndefined();
});

it("reloads a worker on the order of its primary or a signal, and adds its number to the log", () => {
  const { channel, order } = makeChannel();
  const terminal = makeTerminal("/nowhere", { PORT: "1" });
  const primary = findPrimary(channel, 2);
  if (primary === undefined) throw new Error("not a worker");
  const worker = workerTerminal(wrapping(terminal), primary);
  expect(worker.environment.PORT).toBe("1");
  let reloads = 0;
  const ignore = worker.onReload(() => reloads++);
  order("reload");
  terminal.reload();
  ignore();
  order("reload");
  terminal.reload();
  expect(reloads).toBe(2);
  worker.write('{"level":30,"msg":"{"}\n');
  worker.write("Longhaul listens.\n");
  expect(terminal.output()).toBe('{"worker":2,"level":30,"msg":"{"}\nLonghaul listens.\n');
});

describe("figures of workers", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Makes the two ends of a channel. */
  function makePeers(): { near: Peer; far: Peer; listeners: () => number } {
    const [toNear, toFar] = [new EventEmitter(), new EventEmitter()];
    const end = (from: EventEmitter, to: EventEmitter): Peer => ({
      send: (message) => void to.emit("message", message),
      onMessage: (listen) => {
        from.on("message", listen);
        return () => void from.off("message", listen);
      },
    });
    return { near: end(toNear, toFar), far: end(toFar, toNear), listeners: () => toNear.listenerCount("message") };
  }

  it("replies to every request", async () => {
    const { near, far, listeners } = makePeers();
    let asked = 0;
    answerFigures(far, async () => [`figures ${++asked}`]);
    expect(await askFigures(near, 1_000)).toEqual(["figures 1"]);
    expect(await Promise.all([askFigures(near, 1_000), askFigures(near, 1_000)])).toEqual([
      ["figures 2"],
      ["figures 3"],
    ]);
    expect([listeners(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("resolves to no figures if the peer does not reply in time", async () => {
    const { near, far, listeners } = makePeers();
    const stop = answerFigures(far, async () => ["figures"]);
    stop();
    const asked = askFigures(near, 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await asked, listeners()]).toEqual([[], 0]);
  });

  it("ignores other messages on the same channel", async () => {
    const { near, far } = makePeers();
    answerFigures(far, async () => ["figures"]);
    const asked = askFigures(near, 1_000);
    for (const message of ["ready", [], {}, { figures: "reply", id: "another", texts: ["theirs"] }]) far.send(message);
    expect(await asked).toEqual(["figures"]);
  });
});
