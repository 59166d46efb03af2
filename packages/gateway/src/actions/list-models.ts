import { type JsonObject, LonghaulError, type WireId } from "@longhaul/conversation";
import { matchesModel, type RouteConfig } from "@longhaul/settings";
import type { Received } from "../call.ts";
import type { ServeContext } from "../context.ts";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import type { Snapshot } from "../snapshot.ts";
import { resolve } from "../stages/resolve.ts";
import type { Target } from "../target.ts";

/** Lists the models that can be asked for, or describes one of them. */
export async function listModels({ endpoint, query }: Received, { snapshot }: ServeContext): Promise<Outcome> {
  const isGemini = endpoint.wire === "gemini";
  const describe = isGemini ? geminiModel : plainModel;
  if (endpoint.model !== undefined)
    return jsonOutcome(describe(endpoint.model, targetOf(endpoint.model, endpoint.wire, snapshot)));
  const models = listedNames(snapshot).map((name) => describe(name, targetOf(name, endpoint.wire, snapshot)));
  const wished = new URLSearchParams(query);
  return jsonOutcome(isGemini ? geminiPage(models, wished) : plainPage(models, wished));
}

/** The first target, which says what the model's limits are. A name that no route serves throws `route.unknown`. */
function targetOf(model: string, wire: WireId, snapshot: Snapshot): Target {
  const [target] = resolve({ model, wire }, snapshot);
  if (target !== undefined) return target;
  throw new LonghaulError("route.unknown", `no upstream serves the model "${model}"`);
}

/** The names that routes lead somewhere, route by route, each once. */
function listedNames(snapshot: Snapshot): string[] {
  const names = snapshot.config.routes
    .filter(({ upstream }) => [upstream].flat().every((id) => placesOf(id, snapshot).length > 0))
    .flatMap((route) => (route.match.includes("*") ? catalogNames(route, snapshot) : [route.match]));
  return [...new Set(names)];
}

function placesOf(id: string, { places }: Snapshot) {
  return places.get(id) ?? [];
}

/** What a pattern stands for: the models of its upstreams' platforms, or, where the route renames them, of their own vendors'. */
function catalogNames({ match, upstream, model }: RouteConfig, snapshot: Snapshot): string[] {
  const ids = [upstream].flat().flatMap((id) => placesOf(id, snapshot));
  const platforms = new Set(ids.map(({ connection }) => connection.upstream.deployment.platform));
  return snapshot.catalog.models
    .filter(({ platform, vendor }) => (model === undefined ? platforms.has(platform) : platform === vendor))
    .flatMap(({ id, name }) => [id, name].filter((known) => matchesModel(match, known)).slice(0, 1));
}

interface Limits {
  readonly input: number;
  readonly output: number;
}

function limitsOf({ place, match, windowTokens }: Target): Limits {
  const { window, maxInput, maxOutput } = match.model;
  return { input: windowTokens ?? place.connection.upstream.windowTokens ?? maxInput ?? window, output: maxOutput };
}

/** The catalog has no dates; both dialects want one, and Anthropic's allows the epoch for an unknown one. */
const UNKNOWN_DATE = { created: 0, created_at: "1970-01-01T00:00:00Z" };

/** One body for both dialects: OpenAI's clients read `object` and `owned_by`, Anthropic's `type` and the limits. */
function plainModel(id: string, target: Target): JsonObject {
  const { input, output } = limitsOf(target);
  return {
    id,
    object: "model",
    type: "model",
    display_name: id,
    owned_by: target.match.model.vendor,
    ...UNKNOWN_DATE,
    max_input_tokens: input,
    max_tokens: output,
  };
}

function plainPage(models: readonly JsonObject[], wished: URLSearchParams): JsonObject {
  const after = wished.get("after_id");
  const from = after === null ? 0 : models.findIndex(({ id }) => id === after) + 1;
  const data = models.slice(from, from + limitOf(wished.get("limit")));
  const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  const has_more = from + data.length < models.length;
  return { object: "list", data, has_more, first_id: first, last_id: last };
}

/** A limit that is no positive number is none. */
function limitOf(text: string | null): number {
  const limit = Number(text);
  return limit >= 1 ? Math.floor(limit) : Number.POSITIVE_INFINITY;
}

function geminiModel(id: string, target: Target): JsonObject {
  const { input, output } = limitsOf(target);
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: "001",
    displayName: id,
    inputTokenLimit: input,
    outputTokenLimit: output,
    supportedGenerationMethods: ["generateContent", "countTokens"],
  };
}

/** The token of a page is where it begins. */
function geminiPage(models: readonly JsonObject[], wished: URLSearchParams): JsonObject {
  const from = Number(wished.get("pageToken")) || 0;
  const to = from + limitOf(wished.get("pageSize"));
  const page = { models: models.slice(from, to) };
  return to < models.length ? { ...page, nextPageToken: `${to}` } : page;
}
