import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { type Config, credentialUpstreams, isUnconfigured } from "@longhaul/settings";
import { sendsGatewayKey } from "../connect/answer-doubt.ts";
import { requestOf, servesRequest, upstreamsFor, vendorOf } from "../connect/client-route.ts";
import { ANY_KEY, type Placeholders } from "../connect/fill.ts";
import type { FoundClient } from "./detect.ts";

/** A found client, and whether a model will answer it through the gateway. */
export interface SetupClient extends FoundClient {
  readonly works: boolean;
}

/** A client works if the gateway sends its requests to a model, with or without its own login or key. */
export function withRoutes(found: readonly FoundClient[], config: Config, model: string): SetupClient[] {
  return found.map((each) => ({ ...each, works: isServed(each, config, model) }));
}

function isServed({ client, hasLogin, variables }: FoundClient, config: Config, model: string): boolean {
  const sendsOwn = hasLogin || !sendsGatewayKey(client);
  const own = client.traces.variables.filter((name, index) => variables.includes(name) || (hasLogin && index === 0));
  const requests = own.map((name) => {
    const { credential, ...request } = requestOf(client, name, model);
    return sendsOwn ? { ...request, credential } : request;
  });
  if (requests.length > 0) return requests.some((request) => servesRequest(config, request));
  const { model: wanted } = requestOf(client, client.traces.variables[0] ?? "", model);
  return !isUnconfigured(config) && servesRequest(config, { model: wanted }, true);
}

/**
 * Returns the placeholders of a client. One that starts only with a login or a key, and has neither, gets a word for a key if the gateway pays
 * with its own.
 */
export function withPlaceholderKey(
  { client, hasLogin, variables }: FoundClient,
  given: Placeholders,
  config: Config,
): Placeholders {
  if (given.key !== undefined || hasLogin || variables.length > 0 || sendsGatewayKey(client)) return given;
  const request = requestOf(client, client.traces.variables[0] ?? "", given.model);
  const { ids } = upstreamsFor(config, { model: request.model });
  const pays = ids.length > 0 && ids.every((id) => config.upstreams[id]?.apiKey !== undefined);
  return pays ? { ...given, key: ANY_KEY } : given;
}

export function describeFound(clients: readonly SetupClient[]): string[] {
  if (clients.length === 0) return ["  none found"];
  const width = Math.max(...clients.map(({ client }) => client.name.length));
  return clients.map((each) => `  ${each.client.name.padEnd(width)}  ${describeCredential(each)}${describeUrl(each)}`);
}

function describeCredential({ client, hasLogin, hasBoundLogin, variables, works }: SetupClient): string {
  const unserved = works ? "" : `; no upstream serves its models: ${ADD_UPSTREAM}`;
  if (hasLogin) return `logged in${variables.length === 0 ? "" : `, and ${variables.join(", ")} is set`}${unserved}`;
  if (variables.length > 0) return `API key in ${variables.join(", ")}${unserved}`;
  if (works) return "uses the configured upstreams";
  const wanted = client.traces.variables.join(" or ");
  if (hasBoundLogin) return `its login works only at the vendor's own address; set ${wanted} to connect it`;
  return `no login or API key; set ${wanted} to connect it`;
}

const ADD_UPSTREAM = "add one to the gateway, or choose another model with --model";

function describeUrl({ url }: SetupClient): string {
  return url === undefined ? "" : `, connected to ${url}`;
}

/** Says who pays for the requests: the gateway's keys, or the clients' own logins. */
export function describeUpstreams(clients: readonly SetupClient[], config: Config): string[] {
  const forwarding = credentialUpstreams(config);
  const own = Object.keys(config.upstreams).filter((id) => !forwarding.has(id) && !isSimulated(config, id));
  const lines = [
    ...own.map((id) => describeConfigured(id, clients, config)),
    ...clients
      .filter(({ hasLogin, client }) => hasLogin && forwarding.has(vendorOf(client.traces.variables[0])))
      .map(({ client }) => `  ${client.name}'s own login is forwarded to its vendor; nothing to configure`),
  ];
  return lines.length === 0 ? ["  none: no login or API key was found"] : lines;
}

/** Returns whether an upstream is the simulator that answers if nothing is configured. */
function isSimulated({ upstreams }: Config, id: string): boolean {
  return upstreams[id]?.saysSimulated === true;
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
