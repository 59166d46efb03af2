import type { ChangeKind, Changes } from "@longhaul/store";

/** What there may be news of. */
export type NewsKind = "request" | "condensation" | ChangeKind;

/** Tells whoever looks at the gateway that there is something new to see. */
export interface News {
  tell(kind: NewsKind): void;
  /** The result ends it. */
  listen(onNews: (kind: NewsKind) => void): () => void;
  close(): void;
}

/** News of this gateway, and of changes that others on the same database make. */
export function openNews(changes: Pick<Changes, "listen">): News {
  const listeners = new Set<(kind: NewsKind) => void>();
  const tell = (kind: NewsKind) => {
    for (const listener of [...listeners]) listener(kind);
  };
  const close = changes.listen(tell);
  return {
    tell,
    listen: (onNews) => {
      listeners.add(onNews);
      return () => void listeners.delete(onNews);
    },
    close,
  };
}
