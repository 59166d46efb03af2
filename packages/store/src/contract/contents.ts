/** What requests said, where the operator keeps that. */
export interface Contents {
  /** Takes the place of the one of the same request. */
  put(content: Content): Promise<void>;
  find(requestId: string): Promise<Content | undefined>;
  /** Forgets a session's. */
  clear(tenant: string, session: string): Promise<number>;
  /** Forgets what is older, and, oldest first, what is over `maxBytes` in all. */
  prune(beforeMs: number, maxBytes: number): Promise<number>;
}

/** One request as it came and as it was sent, both packed with gzip. */
export interface Content {
  readonly requestId: string;
  readonly tenant: string;
  readonly session: string;
  readonly atMs: number;
  readonly wire: string;
  readonly sentWire: string;
  readonly before: Uint8Array;
  /** Absent where it was sent as it came. */
  readonly after?: Uint8Array;
}
