/** Who may use the admin pages, by the hash of what their browser shows. */
export interface SignIns {
  add(hash: string, expiresAtMs: number): Promise<void>;
  /** Until when it holds; `undefined` for one that is unknown or over. */
  find(hash: string, nowMs: number): Promise<number | undefined>;
  /** Whether it was there and not over: of two who take the same one, one gets it. */
  take(hash: string, nowMs: number): Promise<boolean>;
  /** Forgets those that are over. */
  prune(nowMs: number): Promise<void>;
}
