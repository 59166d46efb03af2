import { randomUUID } from "node:crypto";
import type { Usage } from "@longhaul/conversation";
import type { RequestEvent } from "@longhaul/store";
import type { AdminHost, AdminSnapshot } from "./admin-host.ts";

/** A request to a model that the operator starts on the dashboard: a test of an upstream, or a summary for a preview. */
export interface OwnCall {
  readonly action: "test" | "preview";
  readonly upstream: string;
  readonly model: string;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly errorCode?: string;
  readonly ms: number;
}

export type RecordCall = (call: OwnCall) => void;

/** Returns a function that stores such requests like those of clients, so that their cost is counted. It never waits or throws. */
export function callRecorder(
  { store, nowMs }: Pick<AdminHost, "store" | "nowMs">,
  snapshot: AdminSnapshot,
): RecordCall {
  return (call) => {
    if (!snapshot.config.events.enabled) return;
    void store.events.add({ requests: [eventOf(call, nowMs())], condensations: [] }).catch(() => {
      snapshot.log.warned(`a request to "${call.model}" was not stored: the store failed`);
    });
  };
}

function eventOf({ action, upstream, model, usage, costUsd, errorCode = "", ms }: OwnCall, atMs: number): RequestEvent {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens = 0 } = usage;
  const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    ...{ id: `lh_${randomUUID().replaceAll("-", "")}`, atMs: atMs - ms, action, upstream, model, sentAs: model },
    ...{ tenant: "", keyId: "", session: "", parent: "", wire: "", strategy: "", origin: "" },
    ...{ status: errorCode === "" ? 200 : 502, errorCode, errorMessage: "", isGone: false },
    ...{ ms: Math.round(ms), firstByteMs: Math.round(ms), addedMs: 0, attempts: 1 },
    ...{ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens },
    ...{ windowTokens: 0, originalTokens: promptTokens, sentTokens: promptTokens, anatomy: {} },
    ...{ costUsd, savedUsd: 0, deduplicatedUsd: 0, cachedUsd: 0, copiedMarks: 0, warnings: [] },
  };
}
