import { formatCount } from "@longhaul/models/format";
import { type Config, mergeContext, type RouteConfig, type UpstreamConfig } from "@longhaul/settings";
import { describeStore, type LearnedWindow, storeLocation } from "@longhaul/store";
import type { LoadedConfig } from "./config-file.ts";

/** A configuration, and what is known besides of what will happen with it. */
export interface Described extends Pick<LoadedConfig, "config" | "file" | "warnings"> {
  /** Whether the operator has switched context management off for all. */
  readonly isContextDisabled: boolean;
  /** Whether anything of it was changed while a gateway ran. */
  readonly hasStored?: boolean;
  /** What overflow errors have taught. */
  readonly windows?: readonly LearnedWindow[];
}

/** What a configuration comes to, in a few lines for people. It shows no credentials. */
export function describeConfig(described: Described): string {
  const { config, file, hasStored } = described;
  const upstreams = Object.entries(config.upstreams).map(([id, upstream]) => `${id} (${describeUpstream(upstream)})`);
  const routes = config.routes.map(describeRoute);
  return [
    `Configured by ${file ?? "the environment"}${hasStored === true ? " and what was stored" : ""}.`,
    `Upstreams: ${upstreams.join(", ") || "none; add one under upstreams"}`,
    `Routes: ${routes.join(", ") || "none, so no model is served; add one under routes"}`,
    `Context: ${describeContext(described)}`,
    `Windows: ${describeWindows(described)}`,
    `Compaction: ${describeCompaction(described)}`,
    `Store: ${describeStore(storeLocation(config))}`,
    ...described.warnings.map((warning) => `Note: ${warning}.`),
  ].join("\n");
}

/** An address may hold a password or a token; its host says where it is. */
function describeUpstream({ kind, baseUrl }: UpstreamConfig): string {
  return baseUrl === undefined ? kind : `${kind} at ${new URL(baseUrl).host}`;
}

function describeRoute({ match, upstream, model }: RouteConfig): string {
  const renamed = model === undefined ? "" : ` as ${model}`;
  return `${match} → ${[upstream].flat().join(", then ")}${renamed}`;
}

/** Mode and strategy, and the routes that have others. */
function describeContext({ config, isContextDisabled }: Described): string {
  if (isContextDisabled) return "off for all (DISABLE_CONTEXT_COMPRESSION)";
  const { context, profiles, routes } = config;
  const others = routes.flatMap(({ match, profile, context: own }) => {
    const ofProfile = profile === undefined ? undefined : profiles[profile]?.context;
    const said = describeMode(mergeContext(context, ofProfile, own));
    return said === describeMode(context) ? [] : [`${match}: ${said}`];
  });
  return [describeMode(context), ...others].join("; ");
}

function describeMode({ mode, strategy, threshold }: Config["context"]): string {
  const from = threshold === undefined ? "" : ` from ${threshold} % of the window`;
  return mode === "off" ? "off" : `${mode}, ${strategy}${from}`;
}

/** Windows that somebody set, then those that were learned. */
function describeWindows({ config, windows = [] }: Described): string {
  const set = Object.entries(config.upstreams).flatMap(([id, { window }]) =>
    window === undefined ? [] : [`${id} ${formatCount(window)}`],
  );
  const learned = windows.map(
    ({ upstream, model, windowTokens }) => `${upstream}/${model} ${formatCount(windowTokens)}`,
  );
  const parts = [
    ...set,
    set.length === 0 ? "as the catalog says" : "others as the catalog says",
    ...(learned.length === 0 ? [] : [`learned: ${[...new Set(learned)].join(", ")}`]),
  ];
  return parts.join("; ");
}

function describeCompaction({ config, isContextDisabled }: Described): string {
  const { enabled, onDemand, triggerTokens } = config.compaction;
  if (!enabled || isContextDisabled) return "off";
  const threshold = `at ${formatCount(triggerTokens)} tokens`;
  return `on, for models that have it: ${onDemand ? `on demand, else ${threshold}` : threshold}`;
}
