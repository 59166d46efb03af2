import type { ChangeKind, Changes } from "@longhaul/store";

/** The kind of thing that changed; a listener reads the rest from the store. */
export type FeedKind = "request" | "condensation" | ChangeKind;

/** Notifies listeners, such as open dashboards, that there is something new to read. */
export interface ChangeFeed {
  publish(kind: FeedKind): void;
  /** Returns a function that ends the subscription. */
  listen(onChange: (kind: FeedKind) => void): () => void;
  close(): void;
}

/** Opens a feed of what this gateway publishes and of the changes that others make in the same database. */
export function openChangeFeed(changes: Pick<Changes, "listen">): ChangeFeed {
  const listeners = new Set<(kind: FeedKind) => void>();
  const publish = (kind: FeedKind) => {
    for (const listener of [...listeners]) listener(kind);
  };
  return {
    publish,
    listen: (onChange) => {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    close: changes.listen(publish),
  };
}
