import type { Model } from "@longhaul/models/catalog";
import type { Call, Reply } from "../core/api.ts";
import type { JsonObject } from "../core/json.ts";
import { knownModel, modelsOn } from "../core/known-model.ts";
import { Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";

/** Where the Gemini API finds its models. */
const GEMINI_SHELF = { platform: "google", vendors: ["google"] } as const;

/** What is wanted of a model. */
interface ModelWish {
  /** Of the API: `v1beta`. */
  readonly version: string;
  readonly id: string;
  readonly method: string;
}

/** The model of a request, or the API's 404. */
export function requireModel({ version, id, method }: ModelWish, { catalog }: World): Model {
  const model = knownModel(catalog, id, GEMINI_SHELF);
  if (model !== undefined) return model;
  throw new Rejection(
    404,
    `models/${id} is not found for API version ${version}, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`,
  );
}

const DEFAULT_PAGE = 50;

/** `GET /v1beta/models`. */
export function listModels({ query }: Call, { catalog }: World): Reply {
  const size = Number(query.get("pageSize") ?? DEFAULT_PAGE);
  const from = Number(query.get("pageToken") ?? 0);
  const models = modelsOn(catalog, GEMINI_SHELF).map(describeModel);
  const isMore = from + size < models.length;
  const body = { models: models.slice(from, from + size), ...(isMore && { nextPageToken: `${from + size}` }) };
  return { kind: "json", status: 200, headers: {}, body };
}

/** `GET /v1beta/models/{id}`. */
export function retrieveModel({ params }: Call, world: World): Reply {
  const [version = "", id = ""] = params;
  const model = requireModel({ version, id, method: "getModel" }, world);
  return { kind: "json", status: 200, headers: {}, body: describeModel(model) };
}

function describeModel({ id, name, window, maxInput, maxOutput, reasoning }: Model): JsonObject {
  return {
    name: `models/${id}`,
    version: /\d+(?:\.\d+)?/.exec(name)?.[0] ?? "001",
    displayName: displayName(name),
    description: "A look-alike.",
    inputTokenLimit: maxInput ?? window,
    outputTokenLimit: maxOutput,
    supportedGenerationMethods: ["generateContent", "countTokens"],
    temperature: 1,
    topP: 0.95,
    topK: 64,
    maxTemperature: 2,
    ...(reasoning.kind !== "none" && { thinking: true }),
  };
}

function displayName(name: string): string {
  return name
    .split("-")
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(" ");
}
