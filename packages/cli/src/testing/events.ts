import { type CondensationEvent, openStore, type RequestEvent, type SessionDescription } from "@longhaul/store";

export async function writeEvents(
  path: string,
  requests: readonly RequestEvent[],
  condensations: readonly CondensationEvent[] = [],
  descriptions: readonly SessionDescription[] = [],
): Promise<void> {
  const store = await openStore({ path, nowMs: Date.now });
  try {
    await store.events.add({ requests, condensations, descriptions });
  } finally {
    await store.close();
  }
}
