import { table } from "@longhaul/conversation";
import { type TriedUpstream, tryUpstreams } from "@longhaul/gateway";
import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import type { Config, UpstreamConfig } from "@longhaul/settings";
import { pluralize } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Finding } from "./finding.ts";

/** Whether upstreams have keys and answer; without a network only the first. */
export async function checkUpstreams(
  config: Config,
  { environment, isOffline }: Pick<Terminal, "environment"> & { readonly isOffline: boolean },
): Promise<Finding[]> {
  const upstreams = Object.entries(config.upstreams);
  if (upstreams.length === 0) {
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
  return upstreams.map(([id, upstream]) => {
    return judge(id, { upstream, tried: tried.find((each) => each.id === id), isOffline });
  });
}

interface Judged {
  readonly upstream: UpstreamConfig;
  readonly tried: TriedUpstream | undefined;
  readonly isOffline: boolean;
}

function judge(id: string, { upstream, tried, isOffline }: Judged): Finding {
  const what = `upstream ${id}`;
  const { kind, apiKey, baseUrl } = upstream;
  const { auth, builtIn } = UPSTREAM_KINDS[kind];
  if (builtIn !== undefined && baseUrl === undefined) return { what, state: "note", says: SIMULATED, remedy: SET_KEY };
  if (isOffline || tried === undefined) {
    const hasKey = apiKey !== undefined || auth !== "key";
    return hasKey
      ? { what, state: "good", says: "it has a key; it was not asked" }
      : { what, state: "note", says: NO_KEY };
  }
  const { outcome, models, why = "it does not answer" } = tried;
  if (outcome === "working")
    return { what, state: "good", says: `it answers, with ${pluralize(models.length, "model")}` };
  if (outcome === "key-missing") return { what, state: "note", says: NO_KEY };
  if (outcome === "unlisted") return { what, state: "note", says: why };
  return { what, state: "bad", says: why, remedy: REMEDIES[outcome](`upstreams.${id}`) };
}

const SIMULATED = "answers are made up by the built-in simulator";
const SET_KEY = "set ANTHROPIC_API_KEY, OPENAI_API_KEY or another vendor's key, or write longhaul.yaml";
const NO_KEY = "it has no key of its own: clients bring theirs";

type Fault = Exclude<TriedUpstream["outcome"], "working" | "unlisted" | "key-missing">;

const checkEndpoint = (path: string) =>
  `check ${path}.kind and ${path}.baseUrl: it is asked for something it does not have`;
const checkNetwork = (path: string) =>
  `check ${path}.baseUrl, the network, and HTTPS_PROXY where there is a proxy; --offline skips this`;

const REMEDIES: Readonly<Record<Fault, (path: string) => string>> = table({
  "key-refused": (path) => `check ${path}.apiKey: the vendor does not take it`,
  "unknown-path": (path) => `check ${path}.baseUrl: nothing is served at that path`,
  "unknown-model": checkEndpoint,
  refused: checkEndpoint,
  broken: checkEndpoint,
  busy: () => "wait and try again: the vendor is overloaded, or the key is over its limits",
  late: checkNetwork,
  unreachable: checkNetwork,
});
