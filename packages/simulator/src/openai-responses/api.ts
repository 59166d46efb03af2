import type { Api, Call, Reply } from "../core/api.ts";
import type { World } from "../core/world.ts";
import { authenticate, readBody, requireModel } from "../openai/door.ts";
import { answerResponses, compactItems, countInput } from "./answer.ts";
import type { ResponsesRequest } from "./check-request.ts";
import { responsesDialect } from "./errors.ts";
import { deleteResponse, retrieveResponse } from "./store.ts";

/** OpenAI's Responses API. */
export const openaiResponsesApi: Api = {
  id: "openai-responses",
  dialect: responsesDialect,
  routes: [
    { method: "POST", pattern: /^\/v1\/responses$/, answer: withRequest(answerResponses) },
    { method: "POST", pattern: /^\/v1\/responses\/compact$/, answer: withRequest(compactItems) },
    { method: "POST", pattern: /^\/v1\/responses\/input_tokens$/, answer: withRequest(countInput) },
    { method: "GET", pattern: /^\/v1\/responses\/([^/]+)$/, answer: withKey(retrieveResponse) },
    { method: "DELETE", pattern: /^\/v1\/responses\/([^/]+)$/, answer: withKey(deleteResponse) },
  ],
};

type Answer = (call: Call, world: World) => Reply;

function withKey(answer: Answer): Answer {
  return (call, world) => {
    authenticate(call, world);
    return answer(call, world);
  };
}

function withRequest(answer: (request: ResponsesRequest, call: Call, world: World) => Reply): Answer {
  return (call, world) => {
    const credential = authenticate(call, world);
    const body = readBody(call);
    const model = requireModel(body.model, world);
    call.notes.model = model.id;
    call.notes.isStream = body.stream === true;
    return answer({ body, model, credential }, call, world);
  };
}
