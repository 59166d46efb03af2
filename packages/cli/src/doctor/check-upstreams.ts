import { table } from "@longhaul/conversation";
import { type TriedUpstream, tryUpstreams } from "@longhaul/gateway";
import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { type Config, credentialUpstreams, isUnconfigured, type UpstreamConfig } from "@longhaul/settings";
import { CONFIGURE, WHO_ANSWERS } from "../config/unconfigured.ts";
import { pluralize } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { bad, type Finding, good, note } from "./finding.ts";

export async function checkUpstreams(
  config: Config,
  { environment, isOffline }: Pick<Terminal, "environment"> & { readonly isOffline: boolean },
): Promise<Finding[]> {
  const upstreams = Object.entries(config.upstreams);
  if (upstreams.length === 0)
    return [bad("upstreams", "none configured", "add one under upstreams (docs/configuration.md)")];
  const limited = credentialUpstreams(config);
  const own = upstreams.filter(([id]) => !limited.has(id));
  const tried = isOffline ? [] : await tryUpstreams({ ...config, upstreams: Object.fromEntries(own) }, environment);
  return [
    ...(isUnconfigured(config) ? [note("upstreams", `nothing is configured. ${WHO_ANSWERS}`, CONFIGURE)] : []),
    ...upstreams.map(([id, upstream]) =>
      limited.has(id)
        ? forCredential(id, upstream)
        : checkUpstream(
            id,
            upstream,
            tried.find((each) => each.id === id),
          ),
    ),
  ];
}

/** Not tested, because the gateway has no credential for it. */
function forCredential(id: string, { kind, baseUrl }: UpstreamConfig): Finding {
  const { host } = new URL(baseUrl ?? UPSTREAM_KINDS[kind].deployments[0].baseUrl);
  return good(`upstream ${id}`, `gets requests that carry a key or login for it, at ${host} (not tested)`);
}

function checkUpstream(
  id: string,
  { kind, apiKey, baseUrl, saysSimulated }: UpstreamConfig,
  tried?: TriedUpstream,
): Finding {
  const what = `upstream ${id}`;
  const { auth, builtIn } = UPSTREAM_KINDS[kind];
  if (builtIn !== undefined && baseUrl === undefined) {
    return saysSimulated === true ? note(what, LABELLED) : note(what, SIMULATED, CONFIGURE);
  }
  if (tried === undefined) {
    const hasKey = apiKey !== undefined || auth !== "key";
    return hasKey ? good(what, "has an API key (not tested)") : note(what, NO_KEY);
  }
  const { outcome, models, why = "no answer" } = tried;
  if (outcome === "working") return good(what, `answers, ${pluralize(models.length, "model")}`);
  if (outcome === "key-missing") return note(what, NO_KEY);
  if (outcome === "unlisted") return note(what, why);
  return bad(what, why, REMEDIES[outcome](`upstreams.${id}`));
}

const SIMULATED = "the built-in simulator answers with generated text";
const LABELLED = "the built-in simulator answers all other requests, and says so in each answer";
const NO_KEY = "no API key; clients send their own";

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
