import { type JsonObject, type JsonValue, table } from "@longhaul/conversation/advanced";
import { kindNamed, UPSTREAM_KINDS } from "@longhaul/models/kinds";
import {
  ALWAYS_FITS,
  addRouteTo,
  CLIENT_KEY,
  type Destination,
  type Draft,
  type Imported,
  IN_ORDER,
  listOf,
  NO_ANSWER_CACHE,
  NO_EQUIVALENT,
  objectOf,
  openDraft,
  textOf,
} from "./draft.ts";
import { upstreamOf } from "./upstreams.ts";

export function importLitellm(config: JsonObject): Imported {
  const entries = listOf(config.model_list).map(objectOf).map(withKey);
  const draft = openDraft(entries);
  const settings = objectOf(config.litellm_settings);
  const groups = new Map<string, Destination[]>();
  for (const entry of entries) {
    const name = textOf(entry.model_name);
    const target = addDeployment(name, objectOf(entry.litellm_params), { draft, settings });
    if (target !== undefined) groups.set(name, [...(groups.get(name) ?? []), target]);
  }
  const routing = objectOf(config.router_settings);
  addFallbacks([...listOf(routing.fallbacks), ...listOf(settings.fallbacks)], groups, draft);
  for (const [name, targets] of [...groups].sort(([one], [other]) => generality(one) - generality(other)))
    addRouteTo(name, targets, { draft, path: `model_list ${name}` });
  noteRest(
    { litellm_settings: settings, router_settings: routing, general_settings: objectOf(config.general_settings) },
    draft,
  );
  for (const name of Object.keys(config)) {
    if (!SECTIONS.has(name)) draft.note(`${name}: ${NO_EQUIVALENT}`);
  }
  return draft.finish();
}

export function isLitellm(value: JsonObject): boolean {
  return "model_list" in value;
}

/** LiteLLM tries a name before a pattern, and a longer pattern before a shorter one; in Longhaul the first route wins. */
function generality(name: string): number {
  return name.includes("*") ? 1 / name.length : 0;
}

/** Variables that LiteLLM reads if a deployment has neither key nor address. */
const KEYS: Readonly<Record<string, string>> = table({
  anthropic: "ANTHROPIC_API_KEY",
  cerebras: "CEREBRAS_API_KEY",
  deepseek: "DEEPSEEK_API_KEY",
  gemini: "GEMINI_API_KEY",
  groq: "GROQ_API_KEY",
  mistral: "MISTRAL_API_KEY",
  openai: "OPENAI_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
  xai: "XAI_API_KEY",
});

function withKey(entry: JsonObject): JsonObject {
  const params = objectOf(entry.litellm_params);
  const key = KEYS[modelOf(params).vendor];
  if (key === undefined || (params.api_key ?? params.api_base ?? params.base_url) !== undefined) return entry;
  return { ...entry, litellm_params: { ...params, api_key: `os.environ/${key}` } };
}

function modelOf(params: JsonObject): { readonly vendor: string; readonly model: string } {
  const [, vendor = "openai", model = ""] = /^(?:([\w-]+)\/)?(.+)$/.exec(textOf(params.model)) ?? [];
  return { vendor, model };
}

const SECTIONS = new Set(["model_list", "litellm_settings", "router_settings", "general_settings"]);

interface Context {
  readonly draft: Draft;
  readonly settings: JsonObject;
}

const TAKEN = new Set([
  "model",
  "api_key",
  "api_base",
  "base_url",
  "timeout",
  "aws_access_key_id",
  "aws_secret_access_key",
  "aws_region_name",
  "vertex_project",
  "vertex_location",
  "vertex_credentials",
]);

function addDeployment(name: string, params: JsonObject, { draft, settings }: Context): Destination | undefined {
  const { vendor, model } = modelOf(params);
  const address = textOf(params.api_base ?? params.base_url);
  const found = vendor === "azure" ? undefined : upstreamOf(vendor, address);
  if (found === undefined || name === "") {
    draft.note(
      `model_list ${name || "without a name"}: "${textOf(params.model)}" is not supported; add an upstream for it`,
    );
    return undefined;
  }
  for (const key of Object.keys(params).filter((key) => !TAKEN.has(key))) {
    draft.note(`model_list ${name}.${key}: ${NO_EQUIVALENT}`);
  }
  if (model === "*" && name.includes("/"))
    draft.note(`model_list ${name}: ${vendor} gets the client's model name unchanged; add a route for each model`);
  const seconds = Number(params.timeout ?? settings.request_timeout);
  const retries = Number(settings.num_retries ?? Number.NaN);
  const upstream = draft.addUpstream(vendor, {
    ...found,
    ...credentialsOf(vendor, params, draft),
    ...(seconds > 0 && { timeouts: { firstByteSeconds: seconds } }),
    ...(Number.isInteger(retries) && { maxRetries: retries }),
  });
  return { upstream, ...(model !== "*" && { model }) };
}

function credentialsOf(vendor: string, params: JsonObject, draft: Draft): Record<string, string> {
  const kind = kindNamed(vendor);
  const auth = kind && UPSTREAM_KINDS[kind].auth;
  if (auth === "aws") {
    return {
      accessKeyId: draft.secret(params.aws_access_key_id ?? "$AWS_ACCESS_KEY_ID", "aws") ?? "",
      secretAccessKey: draft.secret(params.aws_secret_access_key ?? "$AWS_SECRET_ACCESS_KEY", "aws_secret") ?? "",
      region: textOf(params.aws_region_name) || "us-east-1",
    };
  }
  if (auth === "google") return vertexCredentials(params, draft);
  const apiKey = draft.secret(params.api_key, vendor);
  return apiKey === undefined ? {} : { apiKey };
}

function vertexCredentials(params: JsonObject, draft: Draft): Record<string, string> {
  const [file, project] = [textOf(params.vertex_credentials), textOf(params.vertex_project)];
  // It may also be the JSON of a service account, or the name of a variable with it.
  const isFile = /^[^{]*\.json$/.test(file);
  if (!isFile || project === "") draft.note("vertex_ai: set credentialsFile, project and region of its upstream");
  return {
    credentialsFile: isFile ? file : "service-account.json",
    project: project || "my-project",
    region: textOf(params.vertex_location) || "global",
  };
}

function addFallbacks(fallbacks: readonly JsonValue[], groups: Map<string, Destination[]>, draft: Draft): void {
  for (const [name, others] of fallbacks.flatMap((each) => Object.entries(objectOf(each)))) {
    const own = groups.get(name);
    const further = listOf(others).flatMap((other) => groups.get(textOf(other)) ?? []);
    if (own === undefined) draft.note(`fallbacks ${name}: model_list has no such model`);
    else groups.set(name, [...own, ...further]);
  }
}

const DONE = new Set(["fallbacks", "num_retries", "request_timeout", "drop_params", "set_verbose", "modify_params"]);

const REASONS: Readonly<Record<string, string>> = table({
  master_key: CLIENT_KEY,
  database_url: "this database belongs to LiteLLM; set store.url to another one, or leave it out",
  cache: NO_ANSWER_CACHE,
  routing_strategy: IN_ORDER,
  success_callback: "use telemetry.otlpEndpoint or /metrics",
  failure_callback: "use telemetry.otlpEndpoint or /metrics",
  callbacks: "use telemetry.otlpEndpoint or /metrics",
  context_window_fallbacks: ALWAYS_FITS,
});

function noteRest(sections: Readonly<Record<string, JsonObject>>, draft: Draft): void {
  for (const [section, values] of Object.entries(sections)) {
    for (const name of Object.keys(values).filter((each) => !DONE.has(each))) {
      draft.note(`${section}.${name}: ${REASONS[name] ?? NO_EQUIVALENT}`);
    }
  }
}
