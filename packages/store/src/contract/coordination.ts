/** Data that another gateway on the same database may change. `epochs` means that some were cleared. */
export const CHANGE_KINDS = ["settings", "keys", "presets", "epochs"] as const;

/** One of `CHANGE_KINDS`. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Reports changes to the database, including this process's own. */
export interface Changes {
  /** Calls back within a second of a change; several changes may share one call. The returned function stops listening. */
  listen(onChange: (kind: ChangeKind) => void): () => void;
  /** If there are listeners, reports all changes made so far before it resolves. */
  poll(): Promise<void>;
}

/** Leases on work that only one gateway at a time may do. */
export interface Leases {
  /** Takes or extends a lease unless another holder has it. Returns whether it succeeded; of two holders at once, one does. */
  take(lease: Lease): Promise<boolean>;
  /** Returns which of up to a hundred leases are held now. */
  held(names: readonly string[], nowMs: number): Promise<ReadonlySet<string>>;
  /** Releases the lease if this holder still has it. */
  release(name: string, holder: string): Promise<void>;
  /** Deletes leases that expired by then, such as those of crashed processes. Returns how many. */
  prune(nowMs: number): Promise<number>;
}

/** A lease with its holder and expiry. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly nowMs: number;
  readonly untilMs: number;
}
