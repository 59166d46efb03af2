import { table } from "@longhaul/conversation/advanced";
import { type TriedUpstream, tryUpstreams } from "@longhaul/gateway";
import { UPSTREAM_KIND_NAMES, UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { credentialUpstreams, isUnconfigured, type LayeredSettings, type UpstreamConfig } from "@longhaul/settings";
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
  readonly names: SettingNames;
  /** Absent if it was not tested. */
  readonly tried?: Omit<TriedUpstream, "id"> | undefined;
}

/** The setting or variable that set a value, as the user knows it; absent if nothing did. */
type SettingNames = Readonly<Partial<Record<NamedSetting, string>>>;
type NamedSetting = (typeof NAMED_SETTINGS)[number];
const NAMED_SETTINGS = ["kind", "apiKey", "baseUrl"] as const;

/** Returns the names of an upstream's settings, given where each value comes from. */
export function settingNames(
  id: string,
  kind: string,
  originOf: (path: readonly string[]) => string | undefined,
): SettingNames {
  const known = UPSTREAM_KIND_NAMES.find((name) => name === kind);
  const variables: SettingNames = (known && UPSTREAM_KINDS[known].environment?.variables) ?? {};
  const named = NAMED_SETTINGS.flatMap((setting) => {
    const origin = originOf(["upstreams", id, setting]);
    if (origin === undefined || origin === "default") return [];
    const name = origin === "environment" ? variables[setting] : `upstreams.${id}.${setting}`;
    return name === undefined ? [] : [[setting, name] as const];
  });
  return Object.fromEntries(named);
}

/** Checks the upstreams of a configuration, as a gateway that is started here would use them. */
export async function checkUpstreams(
  { config, origins }: Pick<LayeredSettings, "config" | "origins">,
  { environment, isOffline }: Pick<Terminal, "environment"> & { readonly isOffline: boolean },
): Promise<Finding[]> {
  const upstreams = Object.entries(config.upstreams);
  const limited = credentialUpstreams(config);
  const own = upstreams.filter(([id]) => !limited.has(id));
  const tried = isOffline ? [] : await tryUpstreams({ ...config, upstreams: Object.fromEntries(own) }, environment);
  const checked = upstreams.map(([id, upstream]) => ({
    ...factsOf(id, upstream),
    isForCredential: limited.has(id),
    names: settingNames(id, upstream.kind, origins.of),
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
  if (!isNothingConfigured) return upstreams.map(rateUpstream);
  const others = upstreams.filter(({ isForCredential, answers }) => !isForCredential && answers !== "labelled");
  return [note("upstreams", `${WHO_ANSWERS}${describePlaces(upstreams)}`), ...others.map(rateUpstream)];
}

/** Names the variables that replace vendors' own addresses. */
function describePlaces(upstreams: readonly CheckedUpstream[]): string {
  const places = upstreams.flatMap(({ id, names: { baseUrl } }) =>
    baseUrl === undefined ? [] : [`${baseUrl} sets the address of ${id}`],
  );
  return places.map((place) => `; ${place}`).join("");
}

function rateUpstream({ id, answers, hasKey, isForCredential, host, names, tried }: CheckedUpstream): Finding {
  const what = `upstream ${id}`;
  // Not tested, because the gateway has no credential for it.
  const place = host === undefined ? "" : `, at ${host}`;
  if (isForCredential) return good(what, `gets requests that carry a key or login for it${place} (not tested)`);
  if (answers !== "model") return note(what, SIMULATED, CONFIGURE);
  if (tried === undefined) return hasKey ? good(what, "has an API key (not tested)") : note(what, NO_KEY);
  const { outcome, models, why = "no answer" } = tried;
  if (outcome === "working") return good(what, `answers, ${pluralize(models.length, "model")}`);
  if (outcome === "key-missing") return note(what, NO_KEY);
  if (outcome === "unlisted") return note(what, why);
  return bad(what, why, REMEDIES[outcome](names));
}

const SIMULATED = "the built-in simulator answers with generated text";
const NO_KEY = "no API key; clients send their own";

type Fault = Exclude<TriedUpstream["outcome"], "working" | "unlisted" | "key-missing">;

/** Advises to check the settings that were set; without any, the vendor's own address was used. */
function check(names: readonly (string | undefined)[], why: string): string {
  const set = names.filter((name) => name !== undefined);
  return set.length === 0
    ? `${why}; check the network, and HTTPS_PROXY if you use a proxy`
    : `check ${set.join(" and ")}: ${why}`;
}

const checkEndpoint = ({ kind, baseUrl }: SettingNames) =>
  check([kind, baseUrl], "the endpoint does not support this request");
const checkNetwork = ({ baseUrl }: SettingNames) =>
  `check ${baseUrl === undefined ? "" : `${baseUrl}, `}the network, and HTTPS_PROXY if you use a proxy; --offline skips this check`;

const REMEDIES: Readonly<Record<Fault, (names: SettingNames) => string>> = table({
  "key-refused": ({ apiKey = "its credentials" }) => `check ${apiKey}: the vendor rejected it`,
  "unknown-path": ({ baseUrl }) => check([baseUrl], "the server has no such path"),
  "unknown-model": checkEndpoint,
  refused: checkEndpoint,
  broken: checkEndpoint,
  busy: () => "try again later: the vendor is overloaded, or the API key is over its limits",
  late: checkNetwork,
  unreachable: checkNetwork,
});
