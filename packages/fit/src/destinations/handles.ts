import type { Config } from "@longhaul/settings";
import {
  type Circuit,
  type Connection,
  makeCircuit,
  makeRetryBudget,
  type NetworkContext,
  openConnection,
  type RetryBudget,
} from "@longhaul/upstream";
import { upstreamsOf } from "./upstreams.ts";

/** A place with open connections, and how it has been doing. */
export interface UpstreamHandle {
  readonly connection: Connection;
  readonly circuit: Circuit;
  readonly retries: RetryBudget;
}

/** What places take from outside. */
export interface HandlesContext extends NetworkContext {
  readonly nowMs: () => number;
  /** Where the built-in simulator listens, if it runs. */
  readonly simulatorUrl?: string;
}

/** Opens the places behind each upstream of a configuration, by its name. Settings that cannot work throw `settings.invalid` before anything is opened. */
export function openHandles(
  { upstreams }: Pick<Config, "upstreams">,
  context: HandlesContext,
): ReadonlyMap<string, readonly UpstreamHandle[]> {
  const { simulatorUrl } = context;
  const found = Object.entries(upstreams).map(([id, upstream]) => {
    return [id, upstreamsOf(upstream, { id, ...(simulatorUrl !== undefined && { simulatorUrl }) })] as const;
  });
  return new Map(
    found.map(([id, values]) => [
      id,
      values.map(
        (upstream): UpstreamHandle => ({
          connection: openConnection(upstream, context),
          circuit: makeCircuit(context.nowMs),
          retries: makeRetryBudget(),
        }),
      ),
    ]),
  );
}
