import type { Memory } from "./memory.ts";
import type { Snapshot } from "./snapshot.ts";
import type { AttemptContext } from "./stages/attempt.ts";

/** What serving a request takes from outside. */
export interface ServeContext extends AttemptContext {
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  readonly nowSeconds: () => number;
}
