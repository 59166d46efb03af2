import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation/advanced";
import {
  ALWAYS_FITS,
  addServer,
  CLIENT_KEY,
  type Draft,
  type Imported,
  listOf,
  NO_EQUIVALENT,
  objectOf,
  openDraft,
  textOf,
} from "./draft.ts";
import { upstreamAt } from "./upstreams.ts";

export function importRouter(config: JsonObject): Imported {
  const draft = openDraft(config);
  const names = new Map<string, string>();
  for (const provider of listOf(config.Providers ?? config.providers)) {
    if (isJsonObject(provider)) addProvider(provider, { draft, names, config });
  }
  addRoutes(objectOf(config.Router), { draft, names });
  const [host, level] = [textOf(config.HOST), textOf(config.LOG_LEVEL)];
  addServer({ host, port: Number(config.PORT), level }, draft);
  for (const [name, value] of Object.entries(config)) {
    const reason = REASONS[name] ?? (KNOWN.has(name) ? undefined : NO_EQUIVALENT);
    if (reason !== undefined && !isEmpty(value)) draft.note(`${name}: ${reason}`);
  }
  return draft.finish();
}

export function isRouter(value: JsonObject): boolean {
  return ("Providers" in value || "providers" in value) && ("Router" in value || "APIKEY" in value);
}

const KNOWN = new Set(["Providers", "providers", "Router", "HOST", "PORT", "LOG_LEVEL", "API_TIMEOUT_MS", "$schema"]);

const NO_TRANSFORMERS = "Longhaul translates requests for each upstream without transformers";

const REASONS: Readonly<Record<string, string>> = table({
  APIKEY: CLIENT_KEY,
  PROXY_URL: "set HTTPS_PROXY instead",
  LOG: "the log goes to standard output; set its level with log.level",
  NON_INTERACTIVE_MODE: "not needed",
  CUSTOM_ROUTER_PATH: "custom routing code is not supported; add routes instead",
  transformers: NO_TRANSFORMERS,
  Transformers: NO_TRANSFORMERS,
  StatusLine: "use `longhaul statusline`",
  CLAUDE_PATH: "use `longhaul run claude-code`",
});

interface Context {
  readonly draft: Draft;
  readonly names: Map<string, string>;
}

function addProvider(provider: JsonObject, { draft, names, config }: Context & { readonly config: JsonObject }): void {
  const { name, api_base_url: address, api_key: key, models, transformer } = provider;
  if (typeof name !== "string" || typeof address !== "string") {
    draft.note("Providers: a provider without name or api_base_url was left out");
    return;
  }
  const apiKey = draft.secret(key, name);
  const seconds = Number(config.API_TIMEOUT_MS) / 1_000;
  const upstream = draft.addUpstream(name, {
    ...upstreamAt(address),
    ...(apiKey !== undefined && { apiKey }),
    ...(seconds > 0 && { timeouts: { firstByteSeconds: seconds } }),
  });
  names.set(name, upstream);
  for (const model of listOf(models)) {
    if (typeof model === "string") draft.addRoute({ match: `${name},${model}`, upstream, model });
  }
  if (transformer !== undefined) draft.note(`Providers.${name}.transformer: ${NO_TRANSFORMERS}`);
}

/** The router's purposes that can be expressed as a match of model names. */
const MATCHES: readonly (readonly [string, string])[] = [
  ["background", "claude-*haiku*"],
  ["default", "*"],
];

const OWN_ROUTE = "add a route with a model name of its own";

const UNROUTED: Readonly<Record<string, string>> = table({
  longContext: ALWAYS_FITS,
  longContextThreshold: ALWAYS_FITS,
  think: `requests are not routed by reasoning; ${OWN_ROUTE}`,
  webSearch: `requests are not routed by tools; ${OWN_ROUTE}`,
  image: `requests are not routed by content; ${OWN_ROUTE}`,
});

function addRoutes(router: JsonObject, { draft, names }: Context): void {
  for (const [purpose, match] of MATCHES) {
    const [provider = "", model = ""] = textOf(router[purpose])
      .split(",")
      .map((part) => part.trim());
    const upstream = names.get(provider);
    if (upstream !== undefined && model !== "") draft.addRoute({ match, upstream, model });
    else if (provider !== "") draft.note(`Router.${purpose}: Providers has no "${provider}"`);
  }
  for (const [purpose, value] of Object.entries(router)) {
    const reason = UNROUTED[purpose];
    if (reason !== undefined && !isEmpty(value)) draft.note(`Router.${purpose}: ${reason}`);
  }
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === "" || (isJsonArray(value) && value.length === 0);
}
