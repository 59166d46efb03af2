import { randomUUID } from "node:crypto";
import { type HealthAnswer, healthSchema } from "@longhaul/settings";
import type { Gate } from "../http/gate.ts";
import { within } from "../keys/within.ts";
import { sharesAdminPort } from "../listen.ts";
import { describePlace, storePlace } from "../store-place.ts";
import type { AdminContext } from "./context.ts";
import { type Route, route } from "./route.ts";

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
      const store = { place: describePlace(storePlace(config)), ...(await tryStore(context)) };
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

function statusOf({ isClosing }: Gate, isWhole: boolean): HealthAnswer["status"] {
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
  const why = await within(STORE_LIMIT_MS, probe()).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return { isWorking: why === undefined, ms: performance.now() - startedMs, ...(why !== undefined && { why }) };
}
