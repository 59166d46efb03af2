import { formatCount } from "@longhaul/models/format";
import { type LearnedWindow, type Store, WINDOW_LIFETIME_MS } from "@longhaul/store";
import { type ConfigFlags, configuredStore, readStore } from "../config/config-source.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface WindowsFlags extends ConfigFlags {
  /** An upstream, and optionally a model there. */
  readonly forget?: readonly string[];
}

export async function windows({ forget, ...flags }: WindowsFlags, terminal: Terminal): Promise<void> {
  const result = await readStore(configuredStore(flags, terminal), (store) =>
    forget === undefined ? listed(store) : forgotten(store, forget),
  );
  terminal.write(
    "read" in result
      ? result.read
      : `No learned windows: the database ${result.missing} does not exist. Connect a client and start the gateway with \`longhaul setup\`.\n`,
  );
}

async function listed(store: Store): Promise<string> {
  const known = await store.windows.list();
  return known.map((window) => `${describeWindow(window)}\n`).join("") || "No learned windows.\n";
}

function describeWindow({ upstream, model, credential, windowTokens, learnedAtMs }: LearnedWindow): string {
  const ends = learnedAtMs + WINDOW_LIFETIME_MS;
  const until = `${ends > Date.now() ? "valid until" : "expired"} ${new Date(ends).toISOString()}`;
  const whose = credential === CONFIGURED ? "" : `, for the client credential ${credential.slice(0, SHOWN_CHARS)}…`;
  return `${upstream} ${model}: ${formatCount(windowTokens)} tokens${whose}, ${until}`;
}

/** The stored value for the configured API key; a client's credential is stored as its hash. */
const CONFIGURED = "configured";
const SHOWN_CHARS = 8;

async function forgotten(store: Store, [upstream, model, ...surplus]: readonly string[]): Promise<string> {
  if (surplus.length > 0) {
    throw invalid(`--forget takes an upstream and at most one model; remove ${surplus.join(", ")}`);
  }
  const known = await store.windows.list();
  const chosen = known.filter((window) => window.upstream === upstream && window.model === (model ?? window.model));
  if (chosen.length === 0) {
    const which = model === undefined ? `upstream "${upstream}"` : `"${model}" at upstream "${upstream}"`;
    const others = [...new Set(known.map((window) => `${window.upstream} ${window.model}`))].join(", ") || "none";
    throw invalid(`no learned window for ${which} (learned: ${others}); list them with \`longhaul windows\``);
  }
  for (const window of chosen) await store.windows.forget(window);
  return `${chosen.map((window) => `Cleared ${describeWindow(window)}\n`).join("")}${RELOAD}`;
}

const RELOAD = "A running gateway applies this after a reload (send SIGHUP).\n";
