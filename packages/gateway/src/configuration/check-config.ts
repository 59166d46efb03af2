import { type TestedUpstream, testUpstream } from "@longhaul/admin";
import type { Config } from "@longhaul/settings";
import { openSnapshot } from "./snapshot.ts";

/** Throws what starting with this configuration would throw. Sends nothing. */
export async function checkConfig(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await openSnapshot(config, { environment, nowMs: () => 0, nowSeconds: () => 0 }).close();
}

/** How one upstream of a configuration answered. */
export interface TriedUpstream extends TestedUpstream {
  readonly id: string;
}

/** Requests the model list of every upstream at once, except the built-in simulator. A failure is part of the result, not thrown. */
export async function tryUpstreams(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly TriedUpstream[]> {
  const snapshot = openSnapshot(config, { environment, nowMs: Date.now, nowSeconds: () => Date.now() / 1_000 });
  // A list of models costs nothing.
  const context = { snapshot, signal: new AbortController().signal, record: () => {} };
  const ids = [...snapshot.handles].filter(([, handles]) => handles.length > 0).map(([id]) => id);
  try {
    const tried = ids.map(async (id) => ({ id, ...(await testUpstream(id, undefined, context)) }));
    return await Promise.all(tried);
  } finally {
    await snapshot.close();
  }
}
