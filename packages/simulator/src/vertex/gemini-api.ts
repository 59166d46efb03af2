import type { Api, Call } from "../core/api.ts";
import type { World } from "../core/world.ts";
import { answerContent, countTokens } from "../gemini/answer.ts";
import { deliveryOf, geminiDialect, readBody, withErrorFraming } from "../gemini/api.ts";
import type { GeminiRequest } from "../gemini/request.ts";
import { checkToken, requireModel } from "./access.ts";

const MODEL = "/v1(?:beta1)?/projects/([^/]+)/locations/([^/]+)/publishers/google/models/([^/:]+)";

/** Gemini on Vertex AI: the same API with other paths, and tokens instead of keys. */
export const vertexGeminiApi: Api = {
  id: "vertex-gemini",
  dialect: geminiDialect,
  routes: [
    {
      method: "POST",
      pattern: new RegExp(`^${MODEL}:(?:generateContent|streamGenerateContent)$`),
      answer: (call, world) =>
        withErrorFraming(call, () => answerContent(readCall(call, world, "GenerateContentRequest"), call, world)),
    },
    {
      method: "POST",
      pattern: new RegExp(`^${MODEL}:countTokens$`),
      answer: (call, world) => countTokens(readCall(call, world, "CountTokensRequest"), world),
    },
  ],
};

function readCall(call: Call, world: World, message: string): GeminiRequest {
  const credential = checkToken(call, world);
  const model = requireModel(call, { publisher: "google", id: call.params[2] ?? "" }, world);
  const body = readBody(call, message);
  const delivery = deliveryOf(call);
  call.record.model = model.id;
  call.record.isStream = delivery !== "whole";
  return { api: "vertex-gemini", body, model, credential, delivery };
}
