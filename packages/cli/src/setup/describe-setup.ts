import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import {
  type Config,
  foreignVendor,
  isUnconfigured,
  matchesModel,
  otherVendor,
  servesCredential,
} from "@longhaul/settings";
import { isSimulator } from "../connect/simulator-warning.ts";
import type { FoundClient } from "./detect.ts";

/** A found client, and whether a model will answer it through the gateway. */
export interface SetupClient extends FoundClient {
  readonly works: boolean;
}

/** A client works with its own login or key, or through an upstream of the configuration. */
export function withRoutes(found: readonly FoundClient[], config: Config, model: string): SetupClient[] {
  return found.map((each) => {
    const isServed = () => !isUnconfigured(config) && servesModel(config, modelSentBy(each, model));
    return { ...each, works: each.hasLogin || each.variables.length > 0 || isServed() };
  });
}

/** Models of clients that choose their own, by the variable of their API key. */
const OWN_MODELS = new Map([
  ["OPENAI_API_KEY", "gpt-5.1"],
  ["GEMINI_API_KEY", "gemini-2.5-pro"],
]);

/** Returns the model that a client asks for: the one that its settings get, or its vendor's. */
function modelSentBy({ client }: FoundClient, model: string): string {
  const own = OWN_MODELS.get(client.traces.variables[0] ?? "");
  return own === undefined || JSON.stringify(client.files ?? []).includes("{model}") ? model : own;
}

/** A server with one vendor's API serves other vendors' models only if a route names them: a route for all models does not show it. */
function servesModel(config: Config, model: string): boolean {
  const route = config.routes.find((each) => matchesModel(each.match, model) && servesCredential(each, undefined));
  return [route?.upstream ?? []].flat().some((id) => {
    const upstream = config.upstreams[id];
    if (upstream === undefined || isSimulator(config, id)) return false;
    const sent = route?.models?.[id] ?? route?.model ?? model;
    const other = route?.match === "*" ? foreignVendor(upstream.kind, sent) : otherVendor(upstream, sent);
    return other === undefined;
  });
}

export function describeFound(clients: readonly SetupClient[]): string[] {
  if (clients.length === 0) return ["  none found"];
  const width = Math.max(...clients.map(({ client }) => client.name.length));
  return clients.map((each) => `  ${each.client.name.padEnd(width)}  ${describeCredential(each)}${describeUrl(each)}`);
}

function describeCredential({ client, hasLogin, hasBoundLogin, variables, works }: SetupClient): string {
  if (hasLogin) return variables.length === 0 ? "logged in" : `logged in, and ${variables.join(", ")} is set`;
  if (variables.length > 0) return `API key in ${variables.join(", ")}`;
  if (works) return "uses the configured upstreams";
  const wanted = client.traces.variables.join(" or ");
  if (hasBoundLogin) return `its login works only at the vendor's own address; set ${wanted} to connect it`;
  return `no login or API key; set ${wanted} to connect it`;
}

function describeUrl({ url }: SetupClient): string {
  return url === undefined ? "" : `, connected to ${url}`;
}

/** Says who pays for the requests: the gateway's keys, or the clients' own logins. */
export function describeUpstreams(clients: readonly SetupClient[], config: Config): string[] {
  if (!isUnconfigured(config))
    return Object.keys(config.upstreams).map((id) => describeConfigured(id, clients, config));
  const lines = clients
    .filter(({ hasLogin }) => hasLogin)
    .map(({ client }) => `  ${client.name}'s own login is forwarded to its vendor; nothing to configure`);
  return lines.length === 0 ? ["  none: no login or API key was found"] : lines;
}

function describeConfigured(id: string, clients: readonly SetupClient[], { upstreams }: Config): string {
  const upstream = upstreams[id];
  const variable = upstream && UPSTREAM_KINDS[upstream.kind].environment?.variables.apiKey;
  if (upstream?.apiKey === undefined || variable === undefined) return `  ${id}: as configured`;
  const users = clients.filter(({ variables }) => variables.includes(variable));
  const loggedIn = users.find(({ hasLogin }) => hasLogin);
  const key = users.length === 0 ? "its API key" : variable;
  if (loggedIn === undefined) return `  ${id}: the gateway pays with ${key}, and never stores it`;
  return `  ${id}: the gateway pays with ${key} instead of ${loggedIn.client.name}'s login; unset it to use the login`;
}
