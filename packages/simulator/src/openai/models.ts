import type { Model } from "@longhaul/models/catalog";
import type { Api, Call, Reply } from "../core/api.ts";
import { modelsOn } from "../core/known-model.ts";
import type { World } from "../core/world.ts";
import { authenticate, OPENAI_SHELF, requireModel } from "./door.ts";
import { openaiDialect } from "./errors.ts";

/** OpenAI's list of models. */
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
  const data = modelsOn(world.catalog, OPENAI_SHELF).map(describeModel);
  return { kind: "json", status: 200, headers: { "x-request-id": call.requestId }, body: { object: "list", data } };
}

function retrieveModel(call: Call, world: World): Reply {
  authenticate(call, world);
  const body = describeModel(requireModel(call.params[0], world));
  return { kind: "json", status: 200, headers: { "x-request-id": call.requestId }, body };
}

function describeModel({ id }: Model) {
  return { id, object: "model", created: 0, owned_by: "openai" };
}
