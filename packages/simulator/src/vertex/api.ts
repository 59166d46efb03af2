import { answerMessages, countTokens } from "../anthropic/answer.ts";
import { anthropicDialect, betasIn, checkSize, readBody } from "../anthropic/api.ts";
import { type MessagesRequest, messagesIn } from "../anthropic/request.ts";
import { type Api, type Call, type Dialect, ensure, type Rejection, type Reply } from "../core/api.ts";
import { omit, textIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { checkToken, issueToken, requireModel } from "./access.ts";

/** Errors of the platform are Google's, errors of the model are Anthropic's. */
export const vertexClaudeDialect: Dialect = {
  error: (rejection, requestId) =>
    STATUSES[rejection.status] === undefined ? anthropicDialect.error(rejection, requestId) : googleReply(rejection),
  streamError: anthropicDialect.streamError,
};

export const tokenDialect: Dialect = {
  error: ({ status, message, details }) => ({
    kind: "json",
    status,
    headers: { ...details.headers },
    body: { error: details.code ?? "internal_failure", error_description: message },
  }),
  streamError: () => [],
};

export const googleTokenApi: Api = {
  id: "vertex-claude",
  dialect: tokenDialect,
  routes: [{ method: "POST", pattern: /^\/token$/, answer: issueToken }],
};

const MODELS_PATH = "/v1/projects/([^/]+)/locations/([^/]+)/publishers/anthropic/models";

export const vertexClaudeApi: Api = {
  id: "vertex-claude",
  dialect: vertexClaudeDialect,
  routes: [
    { method: "POST", pattern: new RegExp(`^${MODELS_PATH}/count-tokens:rawPredict$`), answer: count },
    { method: "POST", pattern: new RegExp(`^${MODELS_PATH}/([^/:]+):rawPredict$`), answer: predict },
    { method: "POST", pattern: new RegExp(`^${MODELS_PATH}/([^/:]+):streamRawPredict$`), answer: predict },
  ],
};

/** Both verbs stream if the body says so. */
function predict(call: Call, world: World): Reply {
  return answerMessages(readCall(call, call.params[2] ?? "", world), call, world);
}

/** Token counting names the model in the body. */
function count(call: Call, world: World): Reply {
  const named = textIn(readBody(call.body).model);
  ensure(named !== "", "model: Field required");
  const request = readCall({ ...call, body: omit(readBody(call.body), "model") }, named, world);
  return countTokens(request, call, world);
}

function readCall(call: Call, id: string, world: World): MessagesRequest {
  const credential = checkToken(call, world);
  const model = requireModel(call, { publisher: "anthropic", id }, world);
  call.record.model = model.id;
  checkSize(call.bytes.length, model.maxRequestBytes ?? Number.POSITIVE_INFINITY);
  const body = readBody(call.body);
  ensure(textIn(body.anthropic_version) !== "", "anthropic_version: Field required");
  const isStream = body.stream === true;
  call.record.isStream = isStream;
  return { api: "vertex-claude", body, model, messages: messagesIn(body), betas: betasIn(call), isStream, credential };
}

const STATUSES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

function googleReply({ status, message, details }: Rejection) {
  return {
    kind: "json",
    status,
    headers: { ...details.headers },
    body: { error: { code: status, message, status: STATUSES[status] } },
  } as const;
}
