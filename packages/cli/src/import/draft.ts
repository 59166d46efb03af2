import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation/advanced";
import type { UpstreamKindName } from "@longhaul/models/kinds";

export interface Imported {
  readonly config: JsonObject;
  /** Environment variables to set: the configuration refers to them for keys, which are never copied. */
  readonly variables: readonly string[];
  /** Settings that were not converted, each with the reason. */
  readonly notes: readonly string[];
}

export type DraftUpstream = Readonly<Record<string, JsonValue>> & { readonly kind: UpstreamKindName };

interface DraftRoute {
  readonly match: string;
  readonly upstream: string | readonly string[];
  readonly model?: string;
  readonly models?: Readonly<Record<string, string>>;
}

export type Draft = ReturnType<typeof openDraft>;

/** Starts a configuration. Variables that the source uses keep their meaning. */
export function openDraft(source: JsonValue = {}) {
  const named = new Set(variablesIn(source));
  const upstreams = new Map<string, DraftUpstream>();
  const routes: DraftRoute[] = [];
  const sections: Record<string, JsonObject> = {};
  /** The key that each variable holds. */
  const variables = new Map<string, string>();
  const notes = new Set<string>();
  return {
    /** Adds an upstream, under another name if this one is taken by a different one. Returns its name. */
    addUpstream: (name: string, upstream: DraftUpstream) => {
      const plain = name.replaceAll(/[^\w.-]+/g, "-");
      const isFree = (id: string) =>
        !upstreams.has(id) || JSON.stringify(upstreams.get(id)) === JSON.stringify(upstream);
      let id = plain;
      for (let number = 2; !isFree(id); number++) id = `${plain}-${number}`;
      upstreams.set(id, upstream);
      return id;
    },
    upstreams: () => Object.fromEntries(upstreams),
    /** Adds a route, unless there is one with the same match. */
    addRoute: (route: DraftRoute) => {
      if (!routes.some(({ match }) => match === route.match)) routes.push(route);
    },
    /** Returns a reference to the variable that a key names, or else to a new one for it; `undefined` for a dummy key. */
    secret: (value: JsonValue | undefined, name: string) => {
      if (typeof value !== "string" || PLACEHOLDER.test(value)) return undefined;
      const base = `${name.replaceAll(/\W+/g, "_").toUpperCase()}_API_KEY`;
      const isFree = (id: string) => !named.has(id) && (variables.get(id) ?? value) === value;
      let variable = variableIn(value) ?? base;
      for (let number = 2; variableIn(value) === undefined && !isFree(variable); number++)
        variable = `${base}_${number}`;
      variables.set(variable, value);
      return `\${${variable}}`;
    },
    set: (section: string, values: JsonObject) => {
      sections[section] = { ...sections[section], ...values };
    },
    note: (text: string) => void notes.add(text),
    finish: (): Imported => ({
      config: {
        version: 2,
        ...sections,
        upstreams: Object.fromEntries(upstreams),
        routes: routes.map((route) => ({ ...route })),
      },
      variables: [...variables.keys()],
      notes: [...notes],
    }),
  };
}

/** Dummy keys, for servers that need no key. */
const PLACEHOLDER =
  /^(?:|none|null|empty|any|anything|dummy|fake|ollama|lm-?studio|no[-_]?key|not[-_ ]?needed|sk-no-key-required)$/i;

function variablesIn(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [variableIn(value) ?? []].flat();
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(variablesIn) : [];
}

/** Returns the variable that a value refers to, in any of the usual notations. */
function variableIn(value: string): string | undefined {
  return /^(?:os\.environ\/|env\.|\$\{?|\{env:)([A-Za-z_]\w*)\}?$/.exec(value.trim())?.[1];
}

export interface Destination {
  readonly upstream: string;
  readonly model?: string;
}

/** Adds a route to these destinations, in order. A route can use each upstream only once; further models of it are noted. */
export function addRouteTo(match: string, all: readonly Destination[], { draft, path }: RouteContext): void {
  const once = all.filter(({ upstream }, index) => all.findIndex((each) => each.upstream === upstream) === index);
  const left = all.filter(({ upstream, model }) =>
    once.some((each) => each.upstream === upstream && each.model !== model),
  );
  for (const { model = "*", upstream } of left)
    draft.note(`${path}: "${model}" was left out, because a route can use ${upstream} with only one model`);
  const [first] = once;
  if (first === undefined) return;
  const named = once.flatMap(({ upstream, model }) => (model === undefined ? [] : [[upstream, model] as const]));
  if (once.length === 1)
    draft.addRoute({ match, upstream: first.upstream, ...(first.model !== undefined && { model: first.model }) });
  else draft.addRoute({ match, upstream: once.map(({ upstream }) => upstream), models: Object.fromEntries(named) });
}

interface RouteContext {
  readonly draft: Draft;
  /** Position of the destinations in the source file. */
  readonly path: string;
}

export interface ImportedServer {
  readonly host: string;
  readonly port: number;
  readonly level: string;
}

export function addServer({ host, port, level }: ImportedServer, draft: Draft): void {
  if (port > 0) draft.set("server", { port });
  if (host === "0.0.0.0")
    draft.note("HOST: to expose the gateway, create an API key (`longhaul keys create <name>`), then set server.host");
  else if (host !== "") draft.set("server", { host });
  const name = level.toLowerCase();
  if (name !== "") draft.set("log", { level: LEVELS[name] ?? name });
}

/** Python's names of log levels, if they differ from ours. */
const LEVELS: Readonly<Record<string, string>> = table({ warning: "warn", critical: "fatal" });

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Reasons that several importers give for a setting that was not converted. */
export const NO_EQUIVALENT = "Longhaul has no such setting";
export const CLIENT_KEY = "clients had to send it; create an API key with `longhaul keys create <name>` instead";
export const IN_ORDER = "the upstreams of a route are tried in order";
export const NO_ANSWER_CACHE = "Longhaul does not cache responses; it keeps the vendors' prompt caches warm";
export const ALWAYS_FITS = "not needed: Longhaul condenses requests to fit the model";
