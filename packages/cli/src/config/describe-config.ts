import type { LoadedConfig } from "@longhaul/gateway";
import { formatCount } from "@longhaul/models/format";
import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { type Config, mergeContext, type RouteConfig, type UpstreamConfig } from "@longhaul/settings";
import { describeStore, type LearnedWindow, storeLocation } from "@longhaul/store";
import { DEFAULT_STRATEGY } from "../terminal/options.ts";

export interface Described extends Pick<LoadedConfig, "config" | "file" | "warnings"> {
  /** Whether the operator disabled context management for all requests. */
  readonly isContextDisabled: boolean;
  readonly hasStored?: boolean;
  readonly windows?: readonly LearnedWindow[];
}

/** Names the configuration if there is no file. */
export const NO_FILE = "no file; environment variables and defaults";

export function describeConfig(described: Described): string {
  const { config, file, hasStored } = described;
  const upstreams = Object.entries(config.upstreams).map(([id, upstream]) => describeUpstream(id, upstream));
  const routes = config.routes.map(describeRoute);
  return [
    `Configuration: ${file ?? NO_FILE}${hasStored === true ? ", with stored overrides" : ""}`,
    `Upstreams: ${upstreams.join(", ") || "none; add one under upstreams"}`,
    ...describePayers(described),
    `Routes: ${routes.join(", ") || "none, so no model is served; add one under routes"}`,
    `Condensing: ${describeContext(described)}`,
    `Context windows: ${describeWindows(described)}`,
    `Vendor compaction: ${describeCompaction(described)}`,
    `Store: ${describeStore(storeLocation(config))}`,
    ...described.warnings.map((warning) => `Note: ${warning}.`),
  ].join("\n");
}

/** Shows only the host of an address, which may contain a password or a token. */
function describeUpstream(id: string, { kind, baseUrl }: UpstreamConfig): string {
  if (baseUrl !== undefined) return `${id} (${kind} at ${new URL(baseUrl).host})`;
  return id === kind ? id : `${id} (${kind})`;
}

/** Says whose key pays: a client's own key or login is not used at an upstream that has one. */
function describePayers({ config: { upstreams }, file }: Described): string[] {
  const paying = Object.entries(upstreams).flatMap(([id, { kind, apiKey }]) => {
    const variable = UPSTREAM_KINDS[kind].environment?.variables.apiKey;
    if (apiKey === undefined) return [];
    return [`${file === undefined && variable !== undefined ? variable : `upstreams.${id}.apiKey`} for ${id}`];
  });
  if (paying.length === 0) return [];
  return [`Paid with: ${paying.join(", ")}; a client's own key or login is not used there`];
}

function describeRoute({ match, credential, upstream, model }: RouteConfig): string {
  const vendor = credential && UPSTREAM_KINDS[credential].credential?.vendor;
  const limit = vendor === undefined ? "" : ` with the client's ${vendor} key or login`;
  const renamed = model === undefined ? "" : ` as ${model}`;
  return `${match}${limit} → ${[upstream].flat().join(", then ")}${renamed}`;
}

function describeContext({ config, isContextDisabled }: Described): string {
  if (isContextDisabled) return "off for all requests (DISABLE_CONTEXT_COMPRESSION)";
  const { context, profiles, routes } = config;
  const others = routes.flatMap(({ match, profile, context: own }) => {
    const ofProfile = profile === undefined ? undefined : profiles[profile]?.context;
    const mode = describeMode(mergeContext(context, ofProfile, own));
    return mode === describeMode(context) ? [] : [`${match}: ${mode}`];
  });
  return [describeMode(context), ...others].join("; ");
}

function describeMode({ mode, strategy, threshold }: Config["context"]): string {
  const from = threshold === undefined ? "" : ` from ${threshold}% of the window`;
  const note = strategy === DEFAULT_STRATEGY ? " (the default)" : "";
  return mode === "off" ? "off" : `${mode}, strategy ${strategy}${note}${from}`;
}

function describeWindows({ config, windows = [] }: Described): string {
  const set = Object.entries(config.upstreams).flatMap(([id, { window }]) =>
    window === undefined ? [] : [`${id} ${formatCount(window)}`],
  );
  const learned = windows.map(
    ({ upstream, model, windowTokens }) => `${upstream}/${model} ${formatCount(windowTokens)}`,
  );
  const parts = [
    ...set,
    set.length === 0 ? "from the model catalog" : "others from the model catalog",
    ...(learned.length === 0 ? [] : [`learned: ${[...new Set(learned)].join(", ")}`]),
  ];
  return parts.join("; ");
}

function describeCompaction({ config, isContextDisabled }: Described): string {
  const { enabled, onDemand, triggerTokens } = config.compaction;
  if (!enabled || isContextDisabled) return "off";
  const size = triggerTokens === undefined ? "" : ` at ${formatCount(triggerTokens)} tokens`;
  const how = onDemand ? "in a background request, billed like any other" : "as part of a reply";
  return `on${size}; models that support it summarize long sessions themselves, ${how}`;
}
