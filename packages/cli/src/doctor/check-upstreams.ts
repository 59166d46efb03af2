import { table } from "@longhaul/conversation/advanced";
import { type TriedUpstream, tryUpstreams } from "@longhaul/gateway";
import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { type Config, credentialUpstreams, isUnconfigured, type UpstreamConfig } from "@longhaul/settings";
import { CONFIGURE, WHO_ANSWERS } from "../config/unconfigured.ts";
import { pluralize } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { bad, type Finding, good, note } from "./finding.ts";

/** The facts about an upstream that its check depends on. */
export interface CheckedUpstream {
  readonly id: string;
  /** Whose answers it gives: a model's, generated text that says so, or generated text. */
  readonly answers: "model" | "labelled" | "simulated";
  readonly hasKey: boolean;
  /** Set if it serves only requests that carry its vendor's credential. */
  readonly isForCredential: boolean;
  readonly host?: string;
  /** Absent if it was not tested. */
  readonly tried?: Omit<TriedUpstream, "id"> | undefined;
}

/** Checks the upstreams of a configuration, as a gateway that is started here would use them. */
export async function checkUpstreams(
  config: Config,
  { environment, isOffline }: Pick<Terminal, "environment"> & { readonly isOffline: boolean },
): Promise<Finding[]> {
  const upstreams = Object.entries(config.upstreams);
  const limited = credentialUpstreams(config);
  const own = upstreams.filter(([id]) => !limited.has(id));
  const tried = isOffline ? [] : await tryUpstreams({ ...config, upstreams: Object.fromEntries(own) }, environment);
  const checked = upstreams.map(([id, upstream]) => ({
    ...factsOf(id, upstream),
    isForCredential: limited.has(id),
    tried: tried.find((each) => each.id === id),
  }));
  return rateUpstreams(checked, isUnconfigured(config));
}

function factsOf(id: string, { kind, apiKey, baseUrl, saysSimulated }: UpstreamConfig) {
  const { auth, builtIn, deployments } = UPSTREAM_KINDS[kind];
  const isSimulator = builtIn !== undefined && baseUrl === undefined;
  const simulated = saysSimulated === true ? ("labelled" as const) : ("simulated" as const);
  return {
    id,
    answers: isSimulator ? simulated : ("model" as const),
    hasKey: apiKey !== undefined || auth !== "key",
    host: new URL(baseUrl ?? deployments[0].baseUrl).host,
  };
}

/** Rates upstreams, of a configuration or of a running gateway. */
export function rateUpstreams(upstreams: readonly CheckedUpstream[], isNothingConfigured: boolean): Finding[] {
  if (upstreams.length === 0)
    return [bad("upstreams", "none configured", "add one under upstreams (docs/configuration.md)")];
  return [
    ...(isNothingConfigured
      ? [
          note(
            "upstreams",
            `nothing is configured. ${WHO_ANSWERS}`,
            `Claude subscribers need nothing else. Otherwise ${CONFIGURE}`,
          ),
        ]
      : []),
    ...upstreams.map(rateUpstream),
  ];
}

function rateUpstream({ id, answers, hasKey, isForCredential, host, tried }: CheckedUpstream): Finding {
  const what = `upstream ${id}`;
  // Not tested, because the gateway has no credential for it.
  const place = host === undefined ? "" : `, at ${host}`;
  if (isForCredential) return good(what, `gets requests that carry a key or login for it${place} (not tested)`);
  if (answers !== "model") return answers === "labelled" ? note(what, LABELLED) : note(what, SIMULATED, CONFIGURE);
  if (tried === undefined) return hasKey ? good(what, "has an API key (not tested)") : note(what, NO_KEY);
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
