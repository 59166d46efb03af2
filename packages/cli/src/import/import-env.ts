import { table } from "@longhaul/conversation/advanced";
import { kindNamed, UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { addServer, CLIENT_KEY, type Draft, type Imported, NO_EQUIVALENT, openDraft } from "./draft.ts";
import { upstreamAt } from "./upstreams.ts";

/** Converts the `.env` of a claude-code-proxy, which maps Claude's model tiers to another vendor's models. */
export function importEnv(text: string): Imported {
  const values = variablesIn(text);
  const draft = openDraft();
  addUpstreams(values, draft);
  addRoutes(values, draft);
  const [host = "", port = "", level = ""] = ["HOST", "PORT", "LOG_LEVEL"].map((name) => values.get(name));
  addServer({ host, port: Number(port), level }, draft);
  for (const name of values.keys()) {
    const reason = REASONS[name] ?? (KNOWN.test(name) ? undefined : NO_EQUIVALENT);
    if (reason !== undefined) draft.note(`${name}: ${reason}`);
  }
  return draft.finish();
}

export function isEnv(text: string): boolean {
  const names = [...variablesIn(text).keys()];
  return names.some((name) =>
    /^(?:BIG|MIDDLE|SMALL)_MODEL$|^PREFERRED_PROVIDER$|^OPENAI_(?:API_KEY|BASE_URL)$/.test(name),
  );
}

type Variables = ReadonlyMap<string, string>;

function variablesIn(text: string): Variables {
  const lines = text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Z][A-Z0-9_]*)[ \t]*=[ \t]*(.*?)[ \t]*$/gm);
  const entries = [...lines].map(([, name = "", value = ""]): [string, string] => [name, envValue(value)]);
  return new Map(entries.filter(([, value]) => value !== ""));
}

const KNOWN =
  /^(?:(?:BIG|MIDDLE|SMALL)_MODEL|PREFERRED_PROVIDER|(?:OPENAI|ANTHROPIC|GEMINI)_API_KEY|OPENAI_BASE_URL|HOST|PORT|LOG_LEVEL|REQUEST_TIMEOUT|MAX_RETRIES|CUSTOM_HEADER_\w+)$/;

const VERTEX = "add an upstream of kind vertex with credentialsFile, project and region";
const REASONING = "set the same variable for Longhaul, which also reads it";
const REASONS: Readonly<Record<string, string>> = table({
  MAX_TOKENS_LIMIT: "Longhaul keeps the client's limit, and lowers it only if it does not fit",
  MIN_TOKENS_LIMIT: "Longhaul keeps the client's limit",
  AZURE_API_VERSION: "Azure's own paths are not supported; use its address that ends in /openai/v1 as baseUrl",
  USE_VERTEX_AUTH: VERTEX,
  VERTEX_PROJECT: VERTEX,
  VERTEX_LOCATION: VERTEX,
  REASONING_EFFORT: REASONING,
  REASONING_MAX_TOKENS: REASONING,
  REASONING_EXCLUDE: REASONING,
});

/** The kinds of upstream that claude-code-proxy knows, under the same names. */
const [OPENAI, GEMINI, ANTHROPIC] = ["openai", "gemini", "anthropic"] as const;

function addUpstreams(values: Variables, draft: Draft): void {
  const common = commonOf(values, draft);
  const isOpenAi = (values.get("PREFERRED_PROVIDER") ?? OPENAI) === OPENAI;
  if (values.has("OPENAI_API_KEY") || (isOpenAi && values.has("OPENAI_BASE_URL"))) {
    const upstream = upstreamAt(values.get("OPENAI_BASE_URL") ?? UPSTREAM_KINDS[OPENAI].deployments[0].baseUrl);
    const apiKey = values.has("OPENAI_API_KEY") ? { apiKey: draft.secret("$OPENAI_API_KEY", OPENAI) ?? "" } : {};
    draft.addUpstream(OPENAI, { ...upstream, ...apiKey, ...common });
  }
  if (values.has("GEMINI_API_KEY")) {
    draft.addUpstream(GEMINI, { kind: GEMINI, apiKey: draft.secret("$GEMINI_API_KEY", GEMINI) ?? "", ...common });
  }
  if (!values.has("ANTHROPIC_API_KEY")) return;
  // One proxy sends this key to Anthropic, the other requires it from its clients; only the first has a preferred provider.
  if (values.has("PREFERRED_PROVIDER")) {
    const apiKey = draft.secret("$ANTHROPIC_API_KEY", ANTHROPIC) ?? "";
    draft.addUpstream(ANTHROPIC, { kind: ANTHROPIC, apiKey, ...common });
  } else draft.note(`ANTHROPIC_API_KEY: ${CLIENT_KEY}`);
}

function commonOf(values: Variables, draft: Draft) {
  const seconds = Number(values.get("REQUEST_TIMEOUT"));
  const retries = Number(values.get("MAX_RETRIES") ?? Number.NaN);
  const headers = [...values.keys()].filter((name) => name.startsWith("CUSTOM_HEADER_"));
  const entries = headers.map((name) => [
    name.slice("CUSTOM_HEADER_".length).replaceAll("_", "-").toLowerCase(),
    draft.secret(`$${name}`, name) ?? "",
  ]);
  return {
    ...(seconds > 0 && { timeouts: { firstByteSeconds: seconds } }),
    ...(Number.isInteger(retries) && { maxRetries: retries }),
    ...(headers.length > 0 && { headers: Object.fromEntries(entries) }),
  };
}

function addRoutes(values: Variables, draft: Draft): void {
  const preferred = kindNamed(values.get("PREFERRED_PROVIDER") ?? OPENAI) ?? OPENAI;
  const kinds = Object.entries(draft.upstreams()).map(([id, { kind }]) => [id, kind] as const);
  const known = kinds.map(([id]) => id);
  const upstream = known.includes(preferred) ? preferred : known[0];
  if (upstream === undefined) {
    draft.note("the file has no vendor's API key: add upstreams and routes");
    return;
  }
  const big = values.get("BIG_MODEL");
  const tiers = [
    ["opus", big],
    ["sonnet", values.get("MIDDLE_MODEL") ?? big],
    ["haiku", values.get("SMALL_MODEL")],
  ] as const;
  for (const [tier, name] of tiers) {
    if (name === undefined || upstream === ANTHROPIC) continue;
    const [, prefix = "", bare = name] = /^(openai|gemini|google|anthropic)\/(.+)$/.exec(name) ?? [];
    // Upstreams that serve models of many vendors expect the vendor's name as a prefix.
    const vendor = kinds.find(([id, kind]) => id === kindNamed(prefix) && kind === id)?.[0];
    const match = `claude-*${tier}*`;
    draft.addRoute(vendor === undefined ? { match, upstream, model: name } : { match, upstream: vendor, model: bare });
  }
  draft.addRoute({ match: "*", upstream });
}

/** Returns the value after the `=` in a line of an `.env`, without quotes and comment. */
export function envValue(written: string): string {
  const value = written.trim();
  return /^(["'])(.*?)\1(?:\s+#.*)?$/.exec(value)?.[2] ?? value.replace(/\s+#.*$/, "");
}
