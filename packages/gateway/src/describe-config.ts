import type { Config, UpstreamConfig } from "@longhaul/settings";
import type { LoadedConfig } from "./config-file.ts";

/** What a configuration comes to, in a few lines for people. It shows no credentials. */
export function describeConfig({ config, file }: LoadedConfig): string {
  const upstreams = Object.entries(config.upstreams).map(([id, upstream]) => `${id} (${describeUpstream(upstream)})`);
  const routes = config.routes.map(describeRoute);
  return [
    `Configured by ${file ?? "the environment"}.`,
    `Upstreams: ${upstreams.join(", ") || "none; set a vendor's key, or write longhaul.yaml"}`,
    `Routes: ${routes.join(", ") || "none"}`,
  ].join("\n");
}

/** An address may hold a password or a token; its host says where it is. */
function describeUpstream({ kind, baseUrl }: UpstreamConfig): string {
  return baseUrl === undefined ? kind : `${kind} at ${new URL(baseUrl).host}`;
}

function describeRoute({ match, upstream, model }: Config["routes"][number]): string {
  const renamed = model === undefined ? "" : ` as ${model}`;
  return `${match} → ${[upstream].flat().join(", then ")}${renamed}`;
}
