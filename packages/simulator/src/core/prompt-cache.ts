/** What a vendor keeps of earlier prompts: keys of prefixes, each until its time is over. */
export interface PromptCache {
  /** Whether a prefix is there; one that is there lives on from now, as it does at the vendors for free. */
  use(key: string, nowMs: number): boolean;
  keep(key: string, ttlMs: number, nowMs: number): void;
  clear(): void;
}

interface Entry {
  readonly ttlMs: number;
  readonly untilMs: number;
}

/** An empty cache. */
export function openPromptCache(): PromptCache {
  const entries = new Map<string, Entry>();
  return {
    use(key, nowMs) {
      const entry = entries.get(key);
      if (entry === undefined || entry.untilMs <= nowMs) return false;
      entries.set(key, { ...entry, untilMs: nowMs + entry.ttlMs });
      return true;
    },
    keep(key, ttlMs, nowMs) {
      const live = entries.get(key);
      const longest = live !== undefined && live.untilMs > nowMs ? Math.max(live.ttlMs, ttlMs) : ttlMs;
      entries.set(key, { ttlMs: longest, untilMs: nowMs + longest });
    },
    clear: () => entries.clear(),
  };
}
