import type { Api, Call, Dialect, Reply } from "../core/api.ts";
import type { World } from "../core/world.ts";
import { authenticate, readBody, requireModel } from "../openai/door.ts";
import { openaiDialect, openaiError } from "../openai/errors.ts";
import { answerResponses, compactItems, countInput } from "./answer.ts";
import type { ResponsesRequest } from "./request.ts";
import { deleteResponse, retrieveResponse } from "./store.ts";

/** Errors as the Responses API words them: plain ones as all of OpenAI, in streams as an `error` event. */
export const responsesDialect: Dialect = {
  error: openaiDialect.error,
  streamError: (rejection) => {
    const { message, param, code } = openaiError(rejection);
    return [{ event: "error", data: JSON.stringify({ type: "error", code, message, param, sequence_number: 0 }) }];
  },
};

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
