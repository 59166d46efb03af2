import type { Api, Call, Reply } from "../core/api.ts";
import { isObject, textIn } from "../core/json.ts";
import { demand, Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";
import { answerMessages, countTokens } from "./answer.ts";
import { anthropicDialect } from "./errors.ts";
import { listModels, requireModel, retrieveModel } from "./models.ts";
import { type MessagesRequest, messagesIn } from "./request.ts";

/** Anthropic's own Messages API. */
export const anthropicApi: Api = {
  id: "anthropic",
  dialect: anthropicDialect,
  routes: [
    {
      method: "POST",
      pattern: /^\/v1\/messages$/,
      answer: (call, world) => answerMessages(readCall(call, world), call, world),
    },
    {
      method: "POST",
      pattern: /^\/v1\/messages\/count_tokens$/,
      answer: (call, world) => countTokens(readCall(call, world), call, world),
    },
    { method: "GET", pattern: /^\/v1\/models$/, header: "anthropic-version", answer: authenticated(listModels) },
    {
      method: "GET",
      pattern: /^\/v1\/models\/(.+)$/,
      header: "anthropic-version",
      answer: authenticated(retrieveModel),
    },
    {
      method: "HEAD",
      pattern: /^\/(api\/hello)?$/,
      answer: () => ({ kind: "json", status: 200, headers: {}, body: {} }),
    },
  ],
};

function authenticated(answer: (call: Call, world: World) => Reply): (call: Call, world: World) => Reply {
  return (call, world) => {
    authenticate(call, world);
    return answer(call, world);
  };
}

/** The request behind a call: who asks, in which version, which model, with which betas. */
function readCall(call: Call, world: World): MessagesRequest {
  const credential = authenticate(call, world);
  demand(textIn(call.headers["anthropic-version"]) !== "", "anthropic-version: header is required");
  checkSize(call.bytes.length, MAX_BYTES);
  const body = readBody(call.body);
  demand(textIn(body.model) !== "", "model: Field required");
  const model = requireModel(textIn(body.model), world);
  call.notes.model = model.id;
  const isStream = body.stream === true;
  call.notes.isStream = isStream;
  const betas = new Set(
    textIn(call.headers["anthropic-beta"])
      .split(",")
      .map((beta) => beta.trim()),
  );
  return { api: "anthropic", body, model, messages: messagesIn(body), betas, isStream, credential };
}

const MAX_BYTES = 32 * 1024 * 1024;

/** Refuses a body over the API's limit. */
export function checkSize(bytes: number, limit: number): void {
  if (bytes > limit) throw new Rejection(413, "Request exceeds the maximum size");
}

/** The body as an object. */
export function readBody(body: unknown): MessagesRequest["body"] {
  demand(body !== undefined, "The request body is not valid JSON: unexpected end of data: line 1 column 1 (char 0)");
  demand(isObject(body), "Input should be a valid dictionary or object to extract fields from");
  return body;
}

function authenticate({ headers }: Call, { settings }: World): string {
  const bearer = /^Bearer (.+)$/.exec(textIn(headers.authorization))?.[1];
  const key = textIn(headers["x-api-key"]) || bearer || "";
  if (key === "") throw new Rejection(401, "x-api-key header is required");
  if (settings.keys.length > 0 && !settings.keys.includes(key)) throw new Rejection(401, "invalid x-api-key");
  return key;
}
