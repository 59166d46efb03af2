import { answerMessages, countTokens } from "../anthropic/answer.ts";
import { checkSize, readBody } from "../anthropic/api.ts";
import { type MessagesRequest, messagesIn } from "../anthropic/request.ts";
import type { Api, Call, Reply } from "../core/api.ts";
import { omit, textIn } from "../core/json.ts";
import { demand } from "../core/rejection.ts";
import type { World } from "../core/world.ts";
import { tokenDialect, vertexClaudeDialect } from "./errors.ts";
import { requireModel } from "./models.ts";
import { checkToken, issueToken } from "./token.ts";

/** Google's token endpoint. */
export const googleTokenApi: Api = {
  id: "vertex-claude",
  dialect: tokenDialect,
  routes: [{ method: "POST", pattern: /^\/token$/, answer: issueToken }],
};

const PLACE = "/v1/projects/([^/]+)/locations/([^/]+)/publishers/anthropic/models";

/** Claude on Vertex AI. */
export const vertexClaudeApi: Api = {
  id: "vertex-claude",
  dialect: vertexClaudeDialect,
  routes: [
    { method: "POST", pattern: new RegExp(`^${PLACE}/count-tokens:rawPredict$`), answer: count },
    { method: "POST", pattern: new RegExp(`^${PLACE}/([^/:]+):rawPredict$`), answer: predict },
    { method: "POST", pattern: new RegExp(`^${PLACE}/([^/:]+):streamRawPredict$`), answer: predict },
  ],
};

/** Both verbs answer as the body says: streamed or not. */
function predict(call: Call, world: World): Reply {
  return answerMessages(readCall(call, call.params[2] ?? "", world), call, world);
}

/** Counting names the model in the body. */
function count(call: Call, world: World): Reply {
  const named = textIn(readBody(call.body).model);
  demand(named !== "", "model: Field required");
  const request = readCall({ ...call, body: omit(readBody(call.body), "model") }, named, world);
  return countTokens(request, call, world);
}

function readCall(call: Call, id: string, world: World): MessagesRequest {
  const credential = checkToken(call, world);
  const model = requireModel(call, { publisher: "anthropic", id }, world);
  call.notes.model = model.id;
  checkSize(call.bytes.length, model.maxRequestBytes ?? Number.POSITIVE_INFINITY);
  const body = readBody(call.body);
  demand(textIn(body.anthropic_version) !== "", "anthropic_version: Field required");
  const isStream = body.stream === true;
  call.notes.isStream = isStream;
  const betas = new Set(
    textIn(call.headers["anthropic-beta"])
      .split(",")
      .map((beta) => beta.trim()),
  );
  return { api: "vertex-claude", body, model, messages: messagesIn(body), betas, isStream, credential };
}
