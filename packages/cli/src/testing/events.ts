import { type CondensationEvent, openStore, type RequestEvent } from "@longhaul/store";

/** A request that is over, but for what is said otherwise. */
export function makeRequestEvent(event: Partial<RequestEvent> & Pick<RequestEvent, "id">): RequestEvent {
  return {
    atMs: Date.now(),
    tenant: "",
    keyId: "",
    session: "s1",
    wire: "anthropic-messages",
    action: "generate",
    model: "claude-sonnet-4-5",
    sentAs: "claude-sonnet-4-5",
    upstream: "claude",
    status: 200,
    errorCode: "",
    isGone: false,
    ms: 10,
    firstByteMs: 5,
    addedMs: 1,
    attempts: 1,
    inputTokens: 100,
    cacheReadTokens: 900,
    cacheWriteTokens: 0,
    outputTokens: 50,
    reasoningTokens: 0,
    windowTokens: 200_000,
    originalTokens: 0,
    sentTokens: 0,
    strategy: "",
    origin: "",
    costUsd: 1,
    savedUsd: 0.25,
    warnings: [],
    anatomy: {},
    ...event,
  };
}

/** A store in this file in which these requests and condensations were kept. */
export async function writeEvents(
  path: string,
  requests: readonly RequestEvent[],
  condensations: readonly CondensationEvent[] = [],
): Promise<void> {
  const store = await openStore({ path, nowMs: Date.now });
  try {
    await store.events.add({ requests, condensations });
  } finally {
    await store.close();
  }
}
