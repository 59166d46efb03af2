import type { Model } from "@longhaul/models/catalog";
import { type Api, type Call, type Dialect, ensure, jsonReply, Rejection, type Reply } from "../core/api.ts";
import { isObject, type JsonObject, textIn } from "../core/json.ts";
import { knownModel, modelsFrom, type World } from "../core/world.ts";

const OPENAI_MODELS = { platform: "openai", vendors: ["openai"] } as const;

export function authenticate({ headers }: Call, { settings }: World): string {
  const key = /^Bearer\s+(.+)$/.exec(textIn(headers.authorization))?.[1] ?? "";
  if (key === "")
    throw new Rejection(
      401,
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.",
    );
  if (settings.keys.length > 0 && !settings.keys.includes(key))
    throw new Rejection(
      401,
      `Incorrect API key provided: ${key.slice(0, 3)}***. You can find your API key at https://platform.openai.com/account/api-keys.`,
      { code: "invalid_api_key" },
    );
  return key;
}

export interface OpenaiRequest {
  readonly body: JsonObject;
  readonly model: Model;
  readonly credential: string;
}

/** Reads a request for a model and records which one it is. */
export function readRequest(call: Call, world: World, findModel = requireModel): OpenaiRequest {
  const credential = authenticate(call, world);
  const body = readBody(call);
  const model = findModel(body.model, world);
  call.record.model = model.id;
  call.record.isStream = body.stream === true;
  return { body, model, credential };
}

export function readBody({ body }: Call): JsonObject {
  ensure(
    isObject(body),
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
  );
  return body;
}

export function requireModel(id: unknown, { catalog }: World): Model {
  ensure(typeof id === "string" && id !== "", "you must provide a model parameter");
  const model = knownModel(catalog, id, OPENAI_MODELS);
  if (model !== undefined) return model;
  throw new Rejection(404, `The model \`${id}\` does not exist or you do not have access to it.`, {
    code: "model_not_found",
  });
}

export const openaiDialect: Dialect = {
  error: (rejection, requestId) => ({
    kind: "json",
    status: rejection.status,
    headers: { "x-request-id": requestId, ...rejection.details.headers },
    body: { error: openaiError(rejection) },
  }),
  streamError: (rejection) => [{ data: JSON.stringify({ error: openaiError(rejection) }) }, { data: "[DONE]" }],
};

export const openaiModelsApi: Api = {
  id: "openai-chat",
  dialect: openaiDialect,
  routes: [
    { method: "GET", pattern: /^\/v1\/models$/, answer: listModels },
    { method: "GET", pattern: /^\/v1\/models\/(.+)$/, answer: retrieveModel },
  ],
};

function listModels(call: Call, world: World): Reply {
  authenticate(call, world);
  const data = modelsFrom(world.catalog, OPENAI_MODELS).map(describeModel);
  return jsonReply({ object: "list", data }, { "x-request-id": call.requestId });
}

function retrieveModel(call: Call, world: World): Reply {
  authenticate(call, world);
  const model = requireModel(call.params[0], world);
  return jsonReply(describeModel(model), { "x-request-id": call.requestId });
}

function describeModel({ id }: Model) {
  return { id, object: "model", created: 0, owned_by: "openai" };
}

const TYPES: Readonly<Record<number, string>> = {
  429: "rate_limit_error",
  500: "server_error",
  503: "service_unavailable_error",
};
const CODES: Readonly<Record<number, string>> = { 429: "rate_limit_exceeded" };

export function openaiError({ status, message, details }: Rejection) {
  return {
    message,
    type: details.type ?? TYPES[status] ?? (status < 500 ? "invalid_request_error" : "server_error"),
    param: details.param ?? null,
    code: details.code ?? CODES[status] ?? null,
  };
}
