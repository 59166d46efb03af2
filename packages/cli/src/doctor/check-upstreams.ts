import { table } from "@longhaul/conversation";
import { type TriedUpstream, tryUpstreams } from "@longhaul/gateway";
import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import type { Config, UpstreamConfig } from "@longhaul/settings";
import { pluralize } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Finding } from "./finding.ts";

/** Checks whether upstreams have API keys and, unless offline, whether they answer. */
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
        says: "none configured",
        remedy: "add one under upstreams (docs/configuration.md)",
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
      ? { what, state: "good", says: "has an API key (not tested)" }
      : { what, state: "note", says: NO_KEY };
  }
  const { outcome, models, why = "no answer" } = tried;
  if (outcome === "working") return { what, state: "good", says: `answers, ${pluralize(models.length, "model")}` };
  if (outcome === "key-missing") return { what, state: "note", says: NO_KEY };
  if (outcome === "unlisted") return { what, state: "note", says: why };
  return { what, state: "bad", says: why, remedy: REMEDIES[outcome](`upstreams.${id}`) };
}

const SIMULATED = "the built-in simulator makes up the answers";
const SET_KEY = "set ANTHROPIC_API_KEY, OPENAI_API_KEY or another vendor's API key, or write longhaul.yaml";
const NO_KEY = "no API key of its own: clients send theirs";

type Fault = Exclude<TriedUpstream["outcome"], "working" | "unlisted" | "key-missing">;

const checkEndpoint = (path: string) =>
  `check ${path}.kind and ${path}.baseUrl: the endpoint does not support this request`;
const checkNetwork = (path: string) =>
  `check ${path}.baseUrl, the network, and HTTPS_PROXY if you use a proxy; --offline skips this check`;

const REMEDIES: Readonly<Record<Fault, (path: string) => string>> = table({
  "key-refused": (path) => `check ${path}.apiKey: the vendor rejected it`,
  "unknown-path": (path) => `check ${path}.baseUrl: the server has no such path`,
  "unknown-model": checkEndpoint,
  refused: checkEndpoint,
  broken: checkEndpoint,
  busy: () => "try again later: the vendor is overloaded, or the API key is over its limits",
  late: checkNetwork,
  unreachable: checkNetwork,
});
