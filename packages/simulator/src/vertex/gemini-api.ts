import type { Model } from "@longhaul/models/catalog";
import type { Api, Call, Reply } from "../core/api.ts";
import { knownModel } from "../core/known-model.ts";
import { Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";
import { answerContent, countTokens } from "../gemini/answer.ts";
import { deliveryOf, inItsForm, readBody } from "../gemini/api.ts";
import { geminiDialect } from "../gemini/errors.ts";
import type { GeminiRequest } from "../gemini/request.ts";
import { checkToken } from "./token.ts";

const MODEL = "/v1(?:beta1)?/projects/([^/]+)/locations/([^/]+)/publishers/google/models/([^/:]+)";

/** Gemini on Vertex AI: the same API behind other addresses and with tokens in place of keys. */
export const vertexGeminiApi: Api = {
  id: "vertex-gemini",
  dialect: geminiDialect,
  routes: [
    { method: "POST", pattern: new RegExp(`^${MODEL}:(?:generateContent|streamGenerateContent)$`), answer: generate },
    { method: "POST", pattern: new RegExp(`^${MODEL}:countTokens$`), answer: count },
  ],
};

function generate(call: Call, world: World): Reply {
  return inItsForm(call, () => answerContent(readCall(call, world, "GenerateContentRequest"), call, world));
}

function count(call: Call, world: World): Reply {
  return countTokens(readCall(call, world, "CountTokensRequest"), world);
}

function readCall(call: Call, world: World, message: string): GeminiRequest {
  const credential = checkToken(call, world);
  const model = requireModel(call, world);
  const body = readBody(call, message);
  const delivery = deliveryOf(call);
  call.notes.model = model.id;
  call.notes.isStream = delivery !== "whole";
  return { api: "vertex-gemini", body, model, credential, delivery };
}

const SHELF = { platform: "vertex", vendors: ["google"] } as const;

function requireModel({ params }: Call, { catalog }: World): Model {
  const [project, location, id = ""] = params;
  const model = knownModel(catalog, id, SHELF);
  if (model !== undefined) return model;
  throw new Rejection(
    404,
    `Publisher Model \`projects/${project}/locations/${location}/publishers/google/models/${id}\` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions`,
  );
}
