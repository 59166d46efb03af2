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
