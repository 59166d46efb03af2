import { randomUUID } from "node:crypto";
import { inTime, LATE } from "@longhaul/fit";
import { sharesAdminPort } from "@longhaul/settings";
import { describeStore, storeLocation } from "@longhaul/store";
import { type HealthAnswer, healthSchema } from "../api/status.ts";
import type { ChangeFeed } from "../host/change-feed.ts";
import { type AdminContext, type Route, route } from "./route.ts";

export const HEALTH_ROUTES: readonly Route[] = [
  route("GET", "/health", {
    summary: "Reports the gateway's health: requests, store, upstreams.",
    answer: healthSchema,
    run: async (_, context) => {
      const { gate, snapshots, settings, store: kept, nowMs, alerts } = context;
      const { config, handles, isContextDisabled } = snapshots.current();
      const store = { location: describeStore(storeLocation(config)), ...(await tryStore(context)) };
      const upstreams = [...handles].map(([name, behind]) => ({
        name,
        isRunning: behind.length > 0,
        isCircuitOpen: behind.length > 0 && behind.every(({ circuit }) => circuit.isOpen),
        isSimulated: config.upstreams[name]?.saysSimulated === true,
      }));
      const alertFailure = alerts.failure();
      const isHealthy = store.isWorking && upstreams.every(({ isCircuitOpen }) => !isCircuitOpen);
      return {
        status: statusOf(gate, isHealthy),
        nowMs: nowMs(),
        ...(!sharesAdminPort(config.server) && { clientPort: config.server.port }),
        requests: { underWay: gate.inside, max: config.server.maxRequests },
        store,
        upstreams,
        ...(alertFailure !== undefined && { alertFailure }),
        isContextDisabled,
        warnings: [...settings.layered.warnings, ...kept.notices()],
      };
    },
  }),
];

function statusOf({ isClosing }: AdminContext["gate"], isHealthy: boolean): HealthAnswer["status"] {
  if (isClosing) return "stopping";
  return isHealthy ? "ok" : "degraded";
}

/** Longer than SQLite waits for a lock, so that SQLite's own error is reported. */
const STORE_LIMIT_MS = 3_000;
const PROBE = { name: "health", holder: randomUUID() };

/** Reads and writes, because a full disk and a locked file still allow reading. */
async function tryStore({ store, nowMs }: AdminContext) {
  const startedMs = performance.now();
  const probe = async () => {
    await store.settings.load();
    await store.leases.take({ ...PROBE, nowMs: nowMs(), untilMs: nowMs() });
    await store.leases.release(PROBE.name, PROBE.holder);
  };
  const failure = await inTime(
    STORE_LIMIT_MS,
    probe().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    ),
  );
  const why = failure === LATE ? `the database did not answer within ${STORE_LIMIT_MS} ms` : failure;
  return { isWorking: why === undefined, ms: performance.now() - startedMs, ...(why !== undefined && { why }) };
}

/** Browsers and proxies close a connection that is silent for about a minute. */
const PING_MS = 20_000;

/** Events that are queued for a slow reader. */
const MAX_WAITING = 64;

export const STREAM_ROUTES: readonly Route[] = [
  route("GET", "/stream", {
    summary: 'Streams changes as server-sent events such as `{"kind":"request"}`.',
    answer: { contentType: "text/event-stream" },
    run: async ({ signal }, { changes }) => {
      const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
      return new Response(streamOf(changes, signal), { headers });
    },
  }),
];

function streamOf(changes: ChangeFeed, signal: AbortSignal): ReadableStream<Uint8Array> {
  let stop = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const send = (text: string) => {
          // A reader that far behind reloads everything anyway.
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(Buffer.from(text));
        };
        send(": here\n\n");
        const stopListening = changes.listen((kind) => send(`data: ${JSON.stringify({ kind })}\n\n`));
        const timer = setInterval(() => send(": ping\n\n"), PING_MS);
        stop = () => {
          clearInterval(timer);
          stopListening();
        };
        signal.addEventListener("abort", stop, { once: true });
      },
      cancel: () => stop(),
    },
    { highWaterMark: MAX_WAITING },
  );
}
