import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation";
import { addServer, type Draft, type Imported, listOf, objectOf, openDraft, textOf } from "./draft.ts";
import { upstreamAt } from "./upstreams.ts";

/** Reads the `config.json` of claude-code-router. */
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
    const reason = REASONS[name] ?? (KNOWN.has(name) ? undefined : "there is no such setting here");
    if (reason !== undefined && !isEmpty(value)) draft.note(`${name}: ${reason}`);
  }
  return draft.finish();
}

/** Whether a value is such a configuration. */
export function isRouter(value: JsonObject): boolean {
  return ("Providers" in value || "providers" in value) && ("Router" in value || "APIKEY" in value);
}

const KNOWN = new Set(["Providers", "providers", "Router", "HOST", "PORT", "LOG_LEVEL", "API_TIMEOUT_MS", "$schema"]);

const REASONS: Readonly<Record<string, string>> = table({
  APIKEY: "clients were asked for it; `longhaul keys create` makes such keys",
  PROXY_URL: "set HTTPS_PROXY instead, which Longhaul reads",
  LOG: "the log goes to standard output; log.level says how much",
  NON_INTERACTIVE_MODE: "not needed",
  CUSTOM_ROUTER_PATH: "code that routes has no counterpart; write routes",
  transformers: "what a request needs for an upstream is done without them",
  Transformers: "what a request needs for an upstream is done without them",
  StatusLine: "use `longhaul statusline`",
  CLAUDE_PATH: "use `longhaul run claude-code`",
});

interface Context {
  readonly draft: Draft;
  /** Upstreams by the name of the provider. */
  readonly names: Map<string, string>;
}

function addProvider(provider: JsonObject, { draft, names, config }: Context & { readonly config: JsonObject }): void {
  const { name, api_base_url: address, api_key: key, models, transformer } = provider;
  if (typeof name !== "string" || typeof address !== "string") {
    draft.note("Providers: one without name or api_base_url was left out");
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
  if (transformer !== undefined)
    draft.note(`Providers.${name}.transformer: what a request needs for an upstream is done without it`);
}

/** What the router chooses by, and the name of the models that this comes to here. */
const MATCHES: readonly (readonly [string, string])[] = [
  ["background", "claude-*haiku*"],
  ["default", "*"],
];

const UNROUTED: Readonly<Record<string, string>> = table({
  longContext: "not needed: requests are made to fit the model that they are for",
  longContextThreshold: "not needed: requests are made to fit the model that they are for",
  think: "requests are not routed by whether they think; give the model a name of its own in a route",
  webSearch: "requests are not routed by their tools; give the model a name of its own in a route",
  image: "requests are not routed by what they hold; give the model a name of its own in a route",
});

function addRoutes(router: JsonObject, { draft, names }: Context): void {
  for (const [purpose, match] of MATCHES) {
    const [provider = "", model = ""] = textOf(router[purpose])
      .split(",")
      .map((part) => part.trim());
    const upstream = names.get(provider);
    if (upstream !== undefined && model !== "") draft.addRoute({ match, upstream, model });
    else if (provider !== "") draft.note(`Router.${purpose}: there is no provider "${provider}"`);
  }
  for (const [purpose, value] of Object.entries(router)) {
    const reason = UNROUTED[purpose];
    if (reason !== undefined && !isEmpty(value)) draft.note(`Router.${purpose}: ${reason}`);
  }
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === "" || (isJsonArray(value) && value.length === 0);
}
