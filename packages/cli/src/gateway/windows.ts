import { LonghaulError } from "@longhaul/conversation";
import { formatCount } from "@longhaul/models/format";
import { type LearnedWindow, type Store, WINDOW_LIFETIME_MS } from "@longhaul/store";
import { type ConfigFlags, configuredStore, readStore } from "../config/config-source.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The flags of `longhaul windows`. */
export interface WindowsFlags extends ConfigFlags {
  /** An upstream, and a model there. */
  readonly forget?: readonly string[];
}

/** Lists the windows that overflow errors taught, or forgets those of an upstream or of one model there. */
export async function windows({ forget, ...flags }: WindowsFlags, terminal: Terminal): Promise<void> {
  const kept = await readStore(configuredStore(flags, terminal), (store) =>
    forget === undefined ? listed(store) : forgotten(store, forget),
  );
  terminal.write("read" in kept ? kept.read : `Nothing was learned: there is no store at ${kept.missing}.\n`);
}

async function listed(store: Store): Promise<string> {
  const known = await store.windows.list();
  return known.map((window) => `${describeWindow(window)}\n`).join("") || "Nothing was learned.\n";
}

function describeWindow({ upstream, model, credential, windowTokens, learnedAtMs }: LearnedWindow): string {
  const ends = learnedAtMs + WINDOW_LIFETIME_MS;
  const until = `${ends > Date.now() ? "holds until" : "expired"} ${new Date(ends).toISOString()}`;
  const whose = credential === CONFIGURED ? "" : `, for the client's key ${credential.slice(0, SHOWN_CHARS)}…`;
  return `${upstream} ${model}: ${formatCount(windowTokens)} tokens${whose}, ${until}`;
}

/** What stands for a key of the configuration's own; for a client's there is its hash. */
const CONFIGURED = "configured";
const SHOWN_CHARS = 8;

async function forgotten(store: Store, [upstream, model, ...surplus]: readonly string[]): Promise<string> {
  if (surplus.length > 0) throw new LonghaulError("settings.invalid", "--forget takes an upstream and one model");
  const known = await store.windows.list();
  const chosen = known.filter((window) => window.upstream === upstream && window.model === (model ?? window.model));
  if (chosen.length === 0) {
    const which = model === undefined ? `upstream "${upstream}"` : `"${model}" at upstream "${upstream}"`;
    const others = [...new Set(known.map((window) => `${window.upstream} ${window.model}`))].join(", ") || "none";
    throw new LonghaulError("settings.invalid", `no window was learned for ${which} (learned: ${others})`);
  }
  for (const window of chosen) await store.windows.forget(window);
  return `${chosen.map((window) => `Forgot ${describeWindow(window)}\n`).join("")}${RELOAD}`;
}

const RELOAD = "A gateway that runs goes by what it knows until SIGHUP makes it read its configuration again.\n";
