import { type TriedUpstream, tryUpstreams } from "@longhaul/gateway";
import type { Config } from "@longhaul/settings";
import type { Terminal } from "../terminal.ts";
import type { Finding } from "./finding.ts";

/** Whether upstreams have keys and answer; without a network only the first. */
export async function checkUpstreams(
  config: Config,
  { environment, isOffline }: Pick<Terminal, "environment"> & { readonly isOffline: boolean },
): Promise<Finding[]> {
  const ids = Object.keys(config.upstreams);
  if (ids.length === 0) {
    return [
      {
        what: "upstreams",
        state: "bad",
        says: "there is none",
        remedy: "name one under upstreams (docs/configuration.md)",
      },
    ];
  }
  const tried = isOffline ? [] : await tryUpstreams(config, environment);
  return ids.map((id) => judge(id, { config, tried: tried.find((each) => each.id === id), isOffline }));
}

interface Judged {
  readonly config: Config;
  readonly tried: TriedUpstream | undefined;
  readonly isOffline: boolean;
}

function judge(id: string, { config, tried, isOffline }: Judged): Finding {
  const what = `upstream ${id}`;
  const { kind, apiKey, baseUrl } = config.upstreams[id] ?? {};
  if (kind === "simulator" && baseUrl === undefined) return { what, state: "note", says: SIMULATED, remedy: SET_KEY };
  const hasKey = apiKey !== undefined || kind === "bedrock" || kind === "vertex";
  const without = { what, state: "note", says: NO_KEY } as const;
  if (isOffline || tried === undefined)
    return hasKey ? { what, state: "good", says: "it has a key; it was not asked" } : without;
  if (tried.isWorking) return { what, state: "good", says: `it answers, with ${tried.models.length} models` };
  const why = tried.why ?? "it does not answer";
  if (!hasKey && /status 40[13]/.test(why)) return without;
  if (/lists no models/.test(why)) return { what, state: "note", says: why };
  return { what, state: "bad", says: why, remedy: remedyFor(why, id) };
}

const SIMULATED = "answers are made up by the built-in simulator";
const SET_KEY = "set ANTHROPIC_API_KEY, OPENAI_API_KEY or another vendor's key, or write longhaul.yaml";
const NO_KEY = "it has no key of its own: clients bring theirs";

function remedyFor(why: string, id: string): string {
  if (/status 40[13]/.test(why)) return `check upstreams.${id}.apiKey: the vendor does not take it`;
  if (/status 404/.test(why)) return `check upstreams.${id}.baseUrl: nothing is served at that path`;
  return `check upstreams.${id}.baseUrl, the network, and HTTPS_PROXY where there is a proxy; --offline skips this`;
}
