/** What may be changed by another gateway on the same database. Of epochs only that some were cleared: what is made anew is found when it is needed. */
export const CHANGE_KINDS = ["settings", "keys", "presets", "epochs"] as const;

/** One of them. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Tells of changes, one's own too. */
export interface Changes {
  /** Calls within a second after a change; may call once for several. The result ends it. */
  listen(onChange: (kind: ChangeKind) => void): () => void;
  /** Calls for what has changed until now before it resolves, where anybody listens. */
  poll(): Promise<void>;
}

/** Turns at things that only one of many may do at a time. */
export interface Leases {
  /**
   * Whether the holder has it now: it was free, it had expired, or it was the holder's own, which makes it longer. Of two who ask at once,
   * one gets it.
   */
  take(lease: Lease): Promise<boolean>;
  /** Those of up to a hundred that somebody has now. */
  held(names: readonly string[], nowMs: number): Promise<ReadonlySet<string>>;
  /** Gives it back, where it is still this holder's. */
  release(name: string, holder: string): Promise<void>;
  /** Forgets those that had expired by then, and says how many they were: whoever died gives nothing back. */
  prune(nowMs: number): Promise<number>;
}

/** A turn, and until when. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly nowMs: number;
  readonly untilMs: number;
}
