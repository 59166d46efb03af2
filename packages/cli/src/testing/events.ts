import { type CondensationEvent, openStore, type RequestEvent } from "@longhaul/store";

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
