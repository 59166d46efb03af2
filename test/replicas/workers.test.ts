import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { turn } from "../context/rig.ts";
import { makeFolder, makeShared, originOf, type ReplicaProcess, send, startReplica } from "./replica.ts";
import { expectContinued, expectSummarizedOnce, playTwice } from "./sessions.ts";

const SLOW = 60_000;
const HELLO = [{ role: "user", content: "Hello." }];

/** Starts two workers on one store, and waits until both have answered. */
async function startWorkers(context: object = {}) {
  const shared = await makeShared({ context, store: { path: join(makeFolder(), "longhaul.db") } });
  const started = await startReplica(shared, ["--workers", "2"]);
  await expect.poll(() => answering(started)).toBe(2);
  const upstream = {
    ...shared.upstream,
    turns: () => shared.upstream.turns().filter((body) => !body.includes("Hello.")),
  };
  return { ...started, upstream, hold: shared.upstream.hold };
}

/** Counts the workers that answer. */
async function answering({ url, log }: ReplicaProcess): Promise<number> {
  const before = log().length;
  for (let count = 0; count < 4; count++) expect((await send(url, HELLO)).status).toBe(200);
  await expect.poll(() => log().length).toBeGreaterThanOrEqual(before + 4);
  return new Set(
    log()
      .slice(before)
      .map(({ worker }) => worker),
  ).size;
}

describe("two workers on one file", () => {
  it("continue each other's sessions with the same bytes", { timeout: SLOW }, async () => {
    const { url, upstream } = await startWorkers({ strategy: "native" });
    const origins = await playTwice(url, 9, 16);
    expectContinued(upstream, origins);
  });

  it("create one summary if both get the same conversation at once", { timeout: SLOW }, async () => {
    const { url, upstream, hold, log } = await startWorkers({ strategy: "native" });
    const release = hold("asks");
    const answers = Array.from({ length: 12 }, () => send(url, turn(30)));
    await expect.poll(() => upstream.asks().length).toBeGreaterThan(0);
    for (let count = 0; count < 4; count++) expect((await send(url, HELLO)).status).toBe(200);
    release();
    for (const answer of await Promise.all(answers)) expect(originOf(answer)).toBe("new");
    expectSummarizedOnce(upstream);
    expect(new Set(upstream.turns()).size).toBe(1);
    const condensed = () => log().filter(({ status, condensed: note }) => status === 200 && note !== undefined);
    await expect.poll(() => condensed().length).toBe(12);
    expect(new Set(condensed().map(({ worker }) => worker)).size).toBe(2);
  });

  it("report the metrics of both, whichever is asked", { timeout: SLOW }, async () => {
    const { url, log } = await startWorkers();
    const answered = log().filter(({ status }) => status === 200).length;
    for (let count = 0; count < 4; count++) {
      const text = await (await fetch(`${url}/metrics`)).text();
      const counts = [...text.matchAll(/^longhaul_requests_total\{.*status="200",worker="(\d+)"\} (\d+)$/gm)];
      expect(new Set(counts.map(([, worker]) => worker)).size).toBe(2);
      expect(counts.reduce((sum, [, , requests]) => sum + Number(requests), 0)).toBe(answered);
      expect(text.match(/^# TYPE longhaul_requests_total /gm)).toHaveLength(1);
    }
  });

  it("print one greeting, reload a changed configuration, and stop after their last response", {
    timeout: SLOW,
  }, async () => {
    const { url, file, log, output, errors, end, upstream, hold } = await startWorkers();
    expect(output().match(/listening on/g)).toHaveLength(1);
    expect(output().match(/#token=/g)).toHaveLength(1);
    const config = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...config, context: { strategy: "sliding-window" } }));
    const reloaded = () => log().filter(({ msg }) => msg === "configuration reloaded");
    await expect.poll(() => new Set(reloaded().map(({ worker }) => worker)).size).toBe(2);
    const release = hold("all");
    const last = [1, 2].map(() => send(url, turn(3)));
    await expect.poll(() => upstream.turns().length).toBe(2);
    const ended = end("SIGTERM");
    // A request that arrives before the signal would be held too.
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
    release();
    expect((await Promise.all(last)).map(({ status }) => status)).toEqual([200, 200]);
    expect([await ended, errors()]).toEqual([0, ""]);
  });

  it.skipIf(process.platform !== "linux")(
    "are two again after one is killed (Linux only)",
    { timeout: SLOW },
    async () => {
      const started = await startWorkers();
      const workers = () =>
        readFileSync(`/proc/${started.pid}/task/${started.pid}/children`, "utf8").trim().split(" ").map(Number);
      const [first = 0] = workers();
      process.kill(first, "SIGKILL");
      // Before its primary knows. Clients of the killed one are refused and retry; none is left waiting.
      const calls = Array.from({ length: 8 }, () =>
        fetch(`${started.url}/healthz`, { signal: AbortSignal.timeout(20_000) }),
      );
      const refused = (await Promise.allSettled(calls)).filter((call) => call.status === "rejected");
      expect(refused.filter(({ reason }) => reason.name === "TimeoutError")).toEqual([]);
      await expect.poll(started.errors).toContain("a worker ended (SIGKILL); restarting it in 0.1 s");
      expect((await send(started.url, HELLO)).status).toBe(200);
      await expect.poll(() => answering(started)).toBe(2);
      expect(workers()).not.toContain(first);
    },
  );

  it("report once why they cannot start", async () => {
    const shared = await makeShared({ store: { path: join(makeFolder(), "longhaul.db") } });
    const starting = startReplica(shared, ["--workers", "2", "--host", "192.0.2.1"]);
    await expect(starting).rejects.toThrow(/exited with 1: longhaul: .*192\.0\.2\.1/);
  });
});
