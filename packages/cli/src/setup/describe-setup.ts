import { type Config, isUnconfigured } from "@longhaul/settings";
import { isSimulated } from "../connect/simulator-warning.ts";
import type { FoundClient } from "./detect.ts";

/** A found client, and whether a model will answer it through the gateway. */
export interface SetupClient extends FoundClient {
  readonly works: boolean;
}

/** A client works with its own login or key, or through an upstream of the configuration. */
export function withRoutes(found: readonly FoundClient[], config: Config, model: string): SetupClient[] {
  const isServed = !isUnconfigured(config) && !isSimulated(config, model, undefined);
  return found.map((each) => ({ ...each, works: each.hasLogin || each.variables.length > 0 || isServed }));
}

export function describeFound(clients: readonly SetupClient[]): string[] {
  if (clients.length === 0) return ["  none found"];
  const width = Math.max(...clients.map(({ client }) => client.name.length));
  return clients.map((each) => `  ${each.client.name.padEnd(width)}  ${describeCredential(each)}${describeUrl(each)}`);
}

function describeCredential({ client, hasLogin, hasBoundLogin, variables, works }: SetupClient): string {
  if (variables.length > 0) return `uses ${variables.join(", ")} from the environment`;
  if (hasLogin) return "logged in";
  if (works) return "uses the configured upstreams";
  const wanted = client.traces.variables.join(" or ");
  if (hasBoundLogin) return `its login works only at the vendor's own address; set ${wanted} to connect it`;
  return `no login or API key; set ${wanted} to connect it`;
}

function describeUrl({ url }: SetupClient): string {
  return url === undefined ? "" : `, connected to ${url}`;
}

export function describeUpstreams(clients: readonly SetupClient[]): string[] {
  const lines = clients.filter(({ works }) => works).map(describeUpstream);
  return lines.length === 0 ? ["  none"] : [...new Set(lines)];
}

function describeUpstream({ client, hasLogin, variables }: SetupClient): string {
  const names = variables.join(", ");
  if (variables.length > 0 && hasLogin)
    return `  ${names}: the gateway pays with it instead of ${client.name}'s login; unset it to use the login`;
  if (variables.length > 0) return `  ${names}: read from the environment where the gateway runs, never stored`;
  return hasLogin ? `  ${client.name}'s own login is passed on; nothing to configure` : "  as configured";
}
