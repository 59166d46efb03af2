import { LonghaulError } from "@longhaul/conversation";

/** What was asked of a store. A full disk fails writing alone. */
export type Asking = "reading" | "writing";

/** Tells the operator of a store that fails, and when it works again. */
export interface StoreTrouble {
  failed(asking: Asking, error: unknown): void;
  worked(asking: Asking): void;
}

/** What telling takes from outside. */
export interface StoreTroubleOptions {
  readonly warn: (what: string) => void;
  readonly nowMs: () => number;
}

/** The same kind of failure is told no more often than this, however often the store comes and goes. */
const TELL_EVERY_MS = 60_000;

/** Each kind of failure is told once, and again when the store had worked in between. */
export function makeStoreTrouble({ warn, nowMs }: StoreTroubleOptions): StoreTrouble {
  const toldMs = new Map<string, number>();
  /** The kinds that the operator takes to last. */
  const lasting = new Set<string>();
  const failing = new Set<Asking>();
  return {
    failed: (asking, error) => {
      failing.add(asking);
      const { code, message } =
        error instanceof LonghaulError ? error : { code: "internal.bug", message: String(error) };
      const sinceMs = nowMs() - (toldMs.get(code) ?? Number.NEGATIVE_INFINITY);
      if (lasting.has(code) || sinceMs < TELL_EVERY_MS) return;
      lasting.add(code);
      toldMs.set(code, nowMs());
      warn(`what outlives a restart cannot be read or written (${code}): ${message}`);
    },
    worked: (asking) => {
      if (!failing.delete(asking) || failing.size > 0 || lasting.size === 0) return;
      lasting.clear();
      warn("what outlives a restart can be read and written again");
    },
  };
}
