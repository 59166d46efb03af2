import type { Api, Call, Reply } from "../core/api.ts";
import { isGiven, objectIn, textIn } from "../core/json.ts";
import { Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";
import { answerContent, countTokens } from "./answer.ts";
import { geminiDialect } from "./errors.ts";
import { listModels, requireModel, retrieveModel } from "./models.ts";
import { readMessage } from "./read-message.ts";
import type { GeminiRequest } from "./request.ts";

/** Google's Gemini API. */
export const geminiApi: Api = {
  id: "gemini",
  dialect: geminiDialect,
  routes: [
    {
      method: "POST",
      pattern: /^\/(v1\w*)\/models\/([^/:]+):(generateContent|streamGenerateContent)$/,
      answer: (call, world) =>
        inItsForm(call, () => answerContent(readCall(call, world, "GenerateContentRequest"), call, world)),
    },
    {
      method: "POST",
      pattern: /^\/(v1\w*)\/models\/([^/:]+):(countTokens)$/,
      answer: (call, world) => countTokens(readCall(call, world, "CountTokensRequest"), world),
    },
    { method: "GET", pattern: /^\/(v1(?:alpha|beta))\/models$/, answer: authenticated(listModels) },
    { method: "GET", pattern: /^\/(v1(?:alpha|beta))\/models\/([^/:]+)$/, answer: authenticated(retrieveModel) },
  ],
};

function authenticated(answer: (call: Call, world: World) => Reply): (call: Call, world: World) => Reply {
  return (call, world) => {
    authenticate(call, world);
    return answer(call, world);
  };
}

/** A refusal takes the form that the answer would have had: a stream that is a list brings it in a list. */
export function inItsForm(call: Call, answer: () => Reply): Reply {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof Rejection) || deliveryOf(call) !== "list") throw error;
    throw new Rejection(error.status, error.message, { ...error.details, isInList: true });
  }
}

/** How an answer is wanted: the path and `alt` say it. */
export function deliveryOf({ path, query }: Call): GeminiRequest["delivery"] {
  if (!path.endsWith(":streamGenerateContent")) return "whole";
  return query.get("alt") === "sse" ? "sse" : "list";
}

function readCall(call: Call, world: World, message: string): GeminiRequest {
  const credential = authenticate(call, world);
  const [version = "", id = "", method = ""] = call.params;
  const model = requireModel({ version, id, method }, world);
  const body = readBody(call, message);
  const delivery = deliveryOf(call);
  call.notes.model = model.id;
  call.notes.isStream = delivery !== "whole";
  return { api: "gemini", body, model, credential, delivery };
}

const MAX_BYTES = 20 * 1024 * 1024;

/** The body of a request, or what is asked to be counted. */
export function readBody({ body, bytes }: Call, message: string): GeminiRequest["body"] {
  if (bytes.length > MAX_BYTES) throw new Rejection(400, `Request payload size exceeds the limit: ${MAX_BYTES} bytes.`);
  const read = readMessage(body, message);
  return isGiven(read.generateContentRequest) ? objectIn(read.generateContentRequest) : read;
}

const INVALID_KEY = {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "API_KEY_INVALID",
  domain: "googleapis.com",
  metadata: { service: "generativelanguage.googleapis.com" },
};

/** The key of a request. Google says 400 of a key that is wrong, and 403 of one that is missing. */
function authenticate({ headers, query }: Call, { settings }: World): string {
  const key = textIn(headers["x-goog-api-key"]) || (query.get("key") ?? "");
  if (key === "" && textIn(headers.authorization) !== "")
    throw new Rejection(
      401,
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
    );
  if (key === "")
    throw new Rejection(
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  if (settings.keys.length > 0 && !settings.keys.includes(key))
    throw new Rejection(400, "API key not valid. Please pass a valid API key.", { more: [INVALID_KEY] });
  return key;
}
