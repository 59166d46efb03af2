import { findModel, type Model } from "@longhaul/models/catalog";
import type { Api, Call, Reply } from "../core/api.ts";
import { isObject, type JsonObject, textIn } from "../core/json.ts";
import { demand, Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";
import { answerChat } from "./answer.ts";
import { openrouterDialect } from "./errors.ts";

/** OpenRouter's chat completions and list of models. */
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
  demand(isObject(body), "Invalid JSON in request body");
  const model = requireModel(textIn(body.model), world);
  call.notes.model = model.id;
  call.notes.isStream = body.stream === true;
  return answerChat({ body, model, credential }, call, world);
}

function authenticate({ headers }: Call, { settings }: World): string {
  const key = /^Bearer\s+(.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
  if (key === "") throw new Rejection(401, "No cookie auth credentials found");
  if (settings.keys.length > 0 && !settings.keys.includes(key)) throw new Rejection(401, "User not found.");
  return key;
}

/** OpenRouter serves everybody's models, under their vendor's name. */
function requireModel(id: string, { catalog }: World): Model {
  demand(id !== "", "No models provided");
  const { model, matchedBy, upstreamId } = findModel(catalog, id, "openrouter");
  const isKnown = matchedBy === "override" || (matchedBy !== "family" && matchedBy !== "default" && upstreamId === id);
  demand(isKnown, `${id} is not a valid model ID`);
  return model;
}

function listModels(_call: Call, { catalog }: World): Reply {
  const data = catalog.models.filter(({ platform }) => platform === "openrouter").map(describeModel);
  return { kind: "json", status: 200, headers: {}, body: { data } };
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
