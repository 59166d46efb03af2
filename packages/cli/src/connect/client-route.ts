import { UPSTREAM_KINDS, type UpstreamKindName } from "@longhaul/models/kinds";
import { type Config, foreignVendor, matchesModel, otherVendor, servesCredential } from "@longhaul/settings";
import { DEFAULT_MODEL } from "../terminal/options.ts";
import type { Client } from "./clients.ts";

/** A request as a client sends it. */
export interface SentRequest {
  readonly model: string;
  /** The vendor whose own key or login it carries. */
  readonly credential?: UpstreamKindName | undefined;
}

/** Vendors by the variable of their key, with a model that clients of theirs choose by themselves. */
const VENDORS: ReadonlyMap<string, Required<SentRequest>> = new Map([
  ["ANTHROPIC_API_KEY", { credential: "anthropic", model: DEFAULT_MODEL }],
  ["OPENAI_API_KEY", { credential: "openai", model: "gpt-5.1" }],
  ["GEMINI_API_KEY", { credential: "gemini", model: "gemini-2.5-pro" }],
]);

/** Returns the vendor that a key belongs to, by its variable; empty if no credential of it is recognized. */
export function vendorOf(variable = ""): string {
  return VENDORS.get(variable)?.credential ?? "";
}

/** Returns whether `connect` writes a model to the client's settings. */
export function hasModelSetting({ args, environment, files, steps }: Client): boolean {
  return JSON.stringify([args, environment, files, steps]).includes("{model}");
}

/** Returns the request of a client with the key of a variable: for the model of its settings, else for one of its vendor. */
export function requestOf(client: Client, variable: string, model: string): SentRequest {
  const vendor = VENDORS.get(variable);
  return { ...vendor, model: hasModelSetting(client) ? model : (vendor?.model ?? model) };
}

/** Returns the upstreams of the route that a request takes. */
export function upstreamsFor({ routes }: Pick<Config, "routes">, { model, credential }: SentRequest) {
  const route = routes.find((each) => matchesModel(each.match, model) && servesCredential(each, credential));
  return { route, ids: [route?.upstream ?? []].flat() };
}

/**
 * Returns whether a model of the configuration answers a request. A server with one vendor's API may serve other vendors' models; `isCertain`
 * asks for a route that names them.
 */
export function servesRequest(config: Config, request: SentRequest, isCertain = false): boolean {
  const { route, ids } = upstreamsFor(config, request);
  return ids.some((id) => {
    const upstream = config.upstreams[id];
    if (upstream === undefined || isSimulator(config, id)) return false;
    const sent = route?.models?.[id] ?? route?.model ?? request.model;
    const other = isCertain && route?.match === "*" ? foreignVendor(upstream.kind, sent) : otherVendor(upstream, sent);
    return other === undefined;
  });
}

/** Returns whether an upstream is the built-in simulator. */
export function isSimulator({ upstreams }: Pick<Config, "upstreams">, id: string): boolean {
  const kind = upstreams[id]?.kind;
  return kind !== undefined && UPSTREAM_KINDS[kind].builtIn !== undefined;
}
