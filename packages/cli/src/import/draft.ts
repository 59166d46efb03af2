import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation";
import type { UpstreamKindName } from "@longhaul/models/kinds";

/** What another tool's configuration comes to here. */
export interface Imported {
  /** What stands in `longhaul.yaml`. */
  readonly config: JsonObject;
  /** Variables that have to be set: keys are named there, never copied. */
  readonly variables: readonly string[];
  /** What was not taken over, each with the reason. */
  readonly notes: readonly string[];
}

/** An upstream as it stands in a configuration. */
export type DraftUpstream = Readonly<Record<string, JsonValue>> & { readonly kind: UpstreamKindName };

/** A route as it stands in a configuration. */
interface DraftRoute {
  readonly match: string;
  readonly upstream: string | readonly string[];
  readonly model?: string;
  readonly models?: Readonly<Record<string, string>>;
}

/** A configuration that is being put together. */
export interface Draft {
  /** Adds an upstream, under another name where this one is taken by something else. Gives its name. */
  addUpstream(name: string, upstream: DraftUpstream): string;
  /** Those that were added, by their names. */
  upstreams(): Readonly<Record<string, DraftUpstream>>;
  addRoute(route: DraftRoute): void;
  /** What a key is replaced by: the variable that it names, else one for the upstream; nothing for a word that stands in for a key. */
  secret(value: JsonValue | undefined, name: string): string | undefined;
  /** Sets something else. */
  set(section: string, values: JsonObject): void;
  note(text: string): void;
  finish(): Imported;
}

/** Begins a configuration. Variables that the source names stand for what they stand for there. */
export function openDraft(source: JsonValue = {}): Draft {
  const named = new Set(variablesIn(source));
  const upstreams = new Map<string, DraftUpstream>();
  const routes: DraftRoute[] = [];
  const sections: Record<string, JsonObject> = {};
  /** Variables, by what each stands for. */
  const variables = new Map<string, string>();
  const notes = new Set<string>();
  return {
    addUpstream: (name, upstream) => {
      const plain = name.replaceAll(/[^\w.-]+/g, "-");
      const isFree = (id: string) => !upstreams.has(id) || isSame(upstreams.get(id), upstream);
      let id = plain;
      for (let number = 2; !isFree(id); number++) id = `${plain}-${number}`;
      upstreams.set(id, upstream);
      return id;
    },
    upstreams: () => Object.fromEntries(upstreams),
    addRoute: (route) => {
      if (!routes.some(({ match }) => match === route.match)) routes.push(route);
    },
    secret: (value, name) => {
      if (typeof value !== "string" || PLACEHOLDER.test(value)) return undefined;
      const base = `${name.replaceAll(/\W+/g, "_").toUpperCase()}_API_KEY`;
      const isFree = (id: string) => !named.has(id) && (variables.get(id) ?? value) === value;
      let variable = variableIn(value) ?? base;
      for (let number = 2; variableIn(value) === undefined && !isFree(variable); number++)
        variable = `${base}_${number}`;
      variables.set(variable, value);
      return `\${${variable}}`;
    },
    set: (section, values) => {
      sections[section] = { ...sections[section], ...values };
    },
    note: (text) => void notes.add(text),
    finish: () => ({
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

/** What is written where a server wants no key, but a tool wants one. */
const PLACEHOLDER =
  /^(?:|none|null|empty|any|anything|dummy|fake|ollama|lm-?studio|no[-_]?key|not[-_ ]?needed|sk-no-key-required)$/i;

function variablesIn(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [variableIn(value) ?? []].flat();
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(variablesIn) : [];
}

/** The variable that a value stands for, in any of the usual spellings. */
function variableIn(value: string): string | undefined {
  return /^(?:os\.environ\/|env\.|\$\{?|\{env:)([A-Za-z_]\w*)\}?$/.exec(value.trim())?.[1];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Where requests go, and as which model where that is another. */
export interface Destination {
  readonly upstream: string;
  readonly model?: string;
}

/** Adds a route to these targets, in their order. A route names each upstream once; what is left out is told, with where it stood. */
export function addRouteTo(match: string, targets: readonly Destination[], { draft, path: place }: RouteContext): void {
  const once = targets.filter(
    (target, index) => targets.findIndex((each) => each.upstream === target.upstream) === index,
  );
  const left = targets.filter(({ upstream, model }) =>
    once.some((each) => each.upstream === upstream && each.model !== model),
  );
  for (const { model = "*", upstream } of left)
    draft.note(`${place}: "${model}" is left out, because ${upstream} serves it already with another model`);
  const [first] = once;
  if (first === undefined) return;
  const named = once.flatMap(({ upstream, model }) => (model === undefined ? [] : [[upstream, model] as const]));
  if (once.length === 1)
    draft.addRoute({ match, upstream: first.upstream, ...(first.model !== undefined && { model: first.model }) });
  else draft.addRoute({ match, upstream: once.map(({ upstream }) => upstream), models: Object.fromEntries(named) });
}

interface RouteContext {
  readonly draft: Draft;
  /** Where the targets stand in the file. */
  readonly path: string;
}

/** Where a proxy listens and what it logs; a text is empty and a port not above 0 where its configuration does not say. */
export interface ImportedServer {
  readonly host: string;
  readonly port: number;
  readonly level: string;
}

/** Adds where the gateway listens and what it logs. */
export function addServer({ host, port, level }: ImportedServer, draft: Draft): void {
  if (port > 0) draft.set("server", { port });
  if (host === "0.0.0.0")
    draft.note("HOST: others are let in only with keys: make one (`longhaul keys create`), then set server.host");
  else if (host !== "") draft.set("server", { host });
  const spelled = level.toLowerCase();
  if (spelled !== "") draft.set("log", { level: LEVELS[spelled] ?? spelled });
}

/** Python's names of levels, where they differ. */
const LEVELS: Readonly<Record<string, string>> = table({ warning: "warn", critical: "fatal" });

/** A value as the object that it is; an empty one where it is something else. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A value as the list that it is; an empty one where it is something else. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

/** A value as the text that it is; an empty one where it is something else. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
