import { randomUUID } from "node:crypto";
import { inTime, LATE } from "@longhaul/fit";
import { sharesAdminPort } from "@longhaul/settings";
import { describeStore, storeLocation } from "@longhaul/store";
import { type HealthAnswer, healthSchema } from "../api/status.ts";
import type { ChangeFeed } from "../host/change-feed.ts";
import { type AdminContext, type Route, route } from "./route.ts";

/** How the gateway is doing. */
export const HEALTH_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/health",
    scope: "admin",
    summary: "Tells how the gateway is doing: its requests, its store, its upstreams.",
    answer: healthSchema,
    run: async (_, context) => {
      const { gate, snapshots, settings, store: kept, nowMs } = context;
      const { config, handles, isContextDisabled } = snapshots.current();
      const store = { place: describeStore(storeLocation(config)), ...(await tryStore(context)) };
      const upstreams = [...handles].map(([name, behind]) => ({
        name,
        isRunning: behind.length > 0,
        isResting: behind.length > 0 && behind.every(({ circuit }) => circuit.isOpen),
      }));
      const isWhole = store.isWorking && upstreams.every(({ isResting }) => !isResting);
      return {
        status: statusOf(gate, isWhole),
        nowMs: nowMs(),
        ...(!sharesAdminPort(config.server) && { clientPort: config.server.port }),
        requests: { underWay: gate.inside, max: config.server.maxRequests },
        store,
        upstreams,
        isContextDisabled,
        warnings: [...settings.layered.warnings, ...kept.notices()],
      };
    },
  }),
];

function statusOf({ isClosing }: AdminContext["gate"], isWhole: boolean): HealthAnswer["status"] {
  if (isClosing) return "stopping";
  return isWhole ? "ok" : "degraded";
}

/** Longer than SQLite waits for a lock, so that the answer has its reason. */
const STORE_LIMIT_MS = 3_000;
const PROBE = { name: "health", holder: randomUUID() };

/** Reads and writes: a full disk and a locked file still let everybody read. */
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

/** A browser that hears nothing for a minute may think that nobody is there, and proxies close what is silent. */
const PING_MS = 20_000;

/** Pieces of news that a slow reader may lag behind. */
const MAX_WAITING = 64;

/** How the dashboard learns of what is new. */
export const STREAM_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/stream",
    scope: "admin",
    summary: 'Tells of news as they happen, as server-sent events such as `{"kind":"request"}`.',
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
          // Who lags behind that far looks at everything again anyway.
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
