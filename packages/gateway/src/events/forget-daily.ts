import { DAY_MS, everyDay } from "@longhaul/fit";
import type { Config } from "@longhaul/settings";
import type { Contents, Events } from "@longhaul/store";

/** What forgetting takes from outside. */
export interface ForgetOptions {
  readonly events: Pick<Events, "prune">;
  readonly contents: Pick<Contents, "prune">;
  readonly settings: () => Pick<Config, "events" | "contents">;
  readonly nowMs: () => number;
  /** Told where the store would not. */
  readonly warn: (what: string) => void;
}

const MIB = 1024 * 1024;

/** Forgets what is older than the operator wants it: now, and then daily until it is stopped by what is returned. Nobody waits for it. */
export function forgetDaily({ events, contents, settings, nowMs, warn }: ForgetOptions): () => void {
  let isStopped = false;
  const forget = async () => {
    const { events: figures, contents: bodies } = settings();
    const now = nowMs();
    try {
      await events.prune(now - figures.keepDays * DAY_MS);
      await contents.prune(now - bodies.keepDays * DAY_MS, bodies.maxMiB * MIB);
    } catch {
      if (!isStopped) warn("old events could not be forgotten, because the store failed; it is tried again tomorrow");
    }
  };
  void forget();
  const stop = everyDay(() => void forget());
  return () => {
    isStopped = true;
    stop();
  };
}
