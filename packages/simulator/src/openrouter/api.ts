import { findModel, type Model } from "@longhaul/models/catalog";
import { type Api, type Call, type Dialect, ensure, jsonReply, Rejection, type Reply } from "../core/api.ts";
import { isObject, type JsonObject, parseJson, textIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { answerChat } from "./answer.ts";

/** OpenRouter's errors: the status as code, and more under `metadata`. */
export const openrouterDialect: Dialect = {
  error: (rejection) => ({
    kind: "json",
    status: rejection.status,
    headers: { ...rejection.details.headers },
    body: { error: openrouterError(rejection) },
  }),
  // In a stream the status stays 200: a chunk has the error beside a choice that ended with it.
  streamError: (rejection) => [
    {
      data: JSON.stringify({
        id: "gen-error",
        object: "chat.completion.chunk",
        created: 0,
        model: "unknown",
        provider: "Simulator",
        error: openrouterError(rejection),
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
      }),
    },
  ],
};

export const openrouterApi: Api = {
  id: "openrouter",
  dialect: openrouterDialect,
  routes: [
    { method: "POST", pattern: /^\/api\/v1\/chat\/completions$/, answer: chat },
    { method: "GET", pattern: /^\/api\/v1\/models$/, answer: listModels },
  ],
};

function chat(call: Call, world: World): Reply {
  const credential = authenticate(call, world);
  const { body } = call;
  ensure(isObject(body), "Invalid JSON in request body");
  const model = requireModel(textIn(body.model), world);
  call.record.model = model.id;
  call.record.isStream = body.stream === true;
  return answerChat({ body, model, credential }, call, world);
}

function authenticate({ headers }: Call, { settings }: World): string {
  const key = /^Bearer\s+(.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
  if (key === "") throw new Rejection(401, "No cookie auth credentials found");
  if (settings.keys.length > 0 && !settings.keys.includes(key)) throw new Rejection(401, "User not found.");
  return key;
}

/** OpenRouter serves every vendor's models, under the vendor's name. */
function requireModel(id: string, { catalog }: World): Model {
  ensure(id !== "", "No models provided");
  const { model, matchedBy, upstreamId } = findModel(catalog, id, "openrouter");
  const isKnown = matchedBy === "override" || (matchedBy !== "family" && matchedBy !== "default" && upstreamId === id);
  ensure(isKnown, `${id} is not a valid model ID`);
  return model;
}

function listModels(_call: Call, { catalog }: World): Reply {
  return jsonReply({ data: catalog.models.filter(({ platform }) => platform === "openrouter").map(describeModel) });
}

function describeModel({ id, window: limit, maxOutput, reasoning }: Model): JsonObject {
  return {
    id,
    name: id,
    created: 0,
    context_length: limit,
    top_provider: { context_length: limit, max_completion_tokens: maxOutput, is_moderated: false },
    ...(reasoning.kind !== "none" && {
      reasoning: {
        supported_efforts: reasoning.levels,
        default_enabled: reasoning.onByDefault,
        mandatory: reasoning.mandatory,
      },
    }),
  };
}

/** OpenRouter's error types by status. */
const KINDS: Readonly<Record<number, string>> = {
  400: "invalid_request",
  401: "authentication",
  402: "payment_required",
  403: "permission_denied",
  404: "not_found",
  408: "timeout",
  413: "payload_too_large",
  429: "rate_limit_exceeded",
  500: "server",
  502: "provider_unavailable",
  503: "provider_overloaded",
  529: "provider_overloaded",
};

function openrouterError({ status, message, details }: Rejection) {
  const raw =
    details.type === undefined ? {} : { raw: parseJson(details.type) ?? details.type, provider_name: "Anthropic" };
  return { message, code: status, metadata: { error_type: details.code ?? KINDS[status] ?? "unknown", ...raw } };
}
