/** What may be changed by another gateway on the same database. Of epochs only that some were cleared: what is made anew is found when it is needed. */
export const CHANGE_KINDS = ["settings", "keys", "presets", "epochs"] as const;

/** One of them. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Tells of changes, one's own too. */
export interface Changes {
  /** Calls within a second after a change; may call once for several. The result ends it. */
  listen(onChange: (kind: ChangeKind) => void): () => void;
  /** Calls for what has changed until now before it resolves, where anybody listens. */
  look(): Promise<void>;
}
