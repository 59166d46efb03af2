import type { LoadedConfig } from "@longhaul/gateway";
import { formatCount } from "@longhaul/models/format";
import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import {
  type Config,
  credentialUpstreams,
  isUnconfigured,
  mergeContext,
  type RouteConfig,
  type UpstreamConfig,
} from "@longhaul/settings";
import { describeStore, type LearnedWindow, storeLocation } from "@longhaul/store";
import { DEFAULT_STRATEGY } from "../terminal/options.ts";
import { WHO_ANSWERS } from "./unconfigured.ts";

export interface Described extends Pick<LoadedConfig, "config" | "file" | "warnings"> {
  /** Whether the operator disabled context management for all requests. */
  readonly isContextDisabled: boolean;
  readonly hasStored?: boolean;
  readonly windows?: readonly LearnedWindow[];
}

/** Names the configuration if there is no file. */
export const NO_FILE = "no file; environment variables and defaults";

/** Describes the configuration in full. */
export function describeConfig(described: Described): string {
  const { config } = described;
  const routes = config.routes.map(describeRoute);
  return [
    describeSource(described),
    describeUpstreams(described),
    ...describePayers(described),
    `Routes: ${routes.join(", ") || NO_ROUTES}`,
    `Condensing: ${describeContext(described)}`,
    `Context windows: ${describeWindows(described)}`,
    `Vendor compaction: ${describeCompaction(described)}`,
    `Store: ${describeStore(storeLocation(config))}`,
    ...described.warnings.map((warning) => `Note: ${warning}.`),
  ].join("\n");
}

/** Describes what differs from one gateway to the next: whose models answer, who pays, and how it condenses. */
export function describeStart(described: Described): string {
  const { config, file, hasStored } = described;
  return [
    ...(file !== undefined || hasStored === true ? [describeSource(described)] : []),
    isUnconfigured(config) ? describeUnconfigured(described) : describeUpstreams(described),
    ...describePayers(described),
    ...(config.routes.length === 0 ? [`Routes: ${NO_ROUTES}`] : []),
    `Condensing: ${describeContext(described)}`,
    ...(described.windows?.length ? [`Context windows: ${describeWindows(described)}`] : []),
    ...described.warnings.map((warning) => `Note: ${warning}.`),
  ].join("\n");
}

const NO_ROUTES = "none, so no model is served; add one under routes";

function describeSource({ file, hasStored }: Described): string {
  return `Configuration: ${file ?? NO_FILE}${hasStored === true ? ", with stored overrides" : ""}`;
}

function describeUpstreams({ config }: Described): string {
  const forwarding = credentialUpstreams(config);
  const named = (isForwarding: boolean) =>
    Object.entries(config.upstreams).flatMap(([id, upstream]) =>
      forwarding.has(id) === isForwarding ? [describeUpstream(id, upstream)] : [],
    );
  const forwarded = named(true).join(", ");
  const parts = [
    named(false).join(", "),
    ...(forwarded === "" ? [] : [`with a client's own key or login: ${forwarded}`]),
  ];
  return `Upstreams: ${parts.filter((part) => part !== "").join("; ") || "none; add one under upstreams"}`;
}

/** Names a vendor's address only if a variable or a setting replaces it. */
function describeUnconfigured({ config: { upstreams } }: Described): string {
  const moved = Object.entries(upstreams).flatMap(([id, { baseUrl }]) =>
    baseUrl === undefined ? [] : [`${id} is at ${new URL(baseUrl).host}`],
  );
  return `Upstreams: ${[WHO_ANSWERS, ...moved].join("; ")}`;
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
