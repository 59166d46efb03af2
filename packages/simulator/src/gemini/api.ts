import type { Model } from "@longhaul/models/catalog";
import { type Api, type Call, type Dialect, jsonReply, Rejection, type Reply, withKey } from "../core/api.ts";
import { isGiven, type JsonObject, objectIn, textIn } from "../core/json.ts";
import { knownModel, modelsFrom, type World } from "../core/world.ts";
import { answerContent, countTokens } from "./answer.ts";
import { readMessage } from "./read-message.ts";
import type { GeminiRequest } from "./request.ts";

export const geminiDialect: Dialect = {
  error: (rejection) => {
    const body = { error: errorOf(rejection) };
    return {
      kind: "json",
      status: rejection.status,
      headers: { ...rejection.details.headers },
      body: rejection.details.isInList === true ? [body] : body,
    };
  },
  streamError: (rejection) => [{ data: JSON.stringify({ error: errorOf(rejection) }) }],
};

export const geminiApi: Api = {
  id: "gemini",
  dialect: geminiDialect,
  routes: [
    {
      method: "POST",
      pattern: /^\/(v1\w*)\/models\/([^/:]+):(generateContent|streamGenerateContent)$/,
      answer: (call, world) =>
        withErrorFraming(call, () => answerContent(readCall(call, world, "GenerateContentRequest"), call, world)),
    },
    {
      method: "POST",
      pattern: /^\/(v1\w*)\/models\/([^/:]+):(countTokens)$/,
      answer: (call, world) => countTokens(readCall(call, world, "CountTokensRequest"), world),
    },
    { method: "GET", pattern: /^\/(v1(?:alpha|beta))\/models$/, answer: withKey(authenticate, listModels) },
    {
      method: "GET",
      pattern: /^\/(v1(?:alpha|beta))\/models\/([^/:]+)$/,
      answer: withKey(authenticate, retrieveModel),
    },
  ],
};

/** A rejection is framed like the answer: an array stream sends it in an array. */
export function withErrorFraming(call: Call, answer: () => Reply): Reply {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof Rejection) || deliveryOf(call) !== "list") throw error;
    throw new Rejection(error.status, error.message, { ...error.details, isInList: true });
  }
}

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
  call.record.model = model.id;
  call.record.isStream = delivery !== "whole";
  return { api: "gemini", body, model, credential, delivery };
}

const MAX_BYTES = 20 * 1024 * 1024;

/** Returns the body, or the request whose tokens are counted. */
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

/** Google answers a wrong key with 400 and a missing one with 403. */
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

const GEMINI_MODELS = { platform: "google", vendors: ["google"] } as const;

/** `version` is that of the API, such as `v1beta`. */
export function requireModel(
  { version, id, method }: { version: string; id: string; method: string },
  { catalog }: World,
): Model {
  const model = knownModel(catalog, id, GEMINI_MODELS);
  if (model !== undefined) return model;
  throw new Rejection(
    404,
    `models/${id} is not found for API version ${version}, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`,
  );
}

const DEFAULT_PAGE = 50;

export function listModels({ query }: Call, { catalog }: World): Reply {
  const size = Number(query.get("pageSize") ?? DEFAULT_PAGE);
  const from = Number(query.get("pageToken") ?? 0);
  const models = modelsFrom(catalog, GEMINI_MODELS).map(describeModel);
  const isMore = from + size < models.length;
  return jsonReply({ models: models.slice(from, from + size), ...(isMore && { nextPageToken: `${from + size}` }) });
}

export function retrieveModel({ params }: Call, world: World): Reply {
  const [version = "", id = ""] = params;
  return jsonReply(describeModel(requireModel({ version, id, method: "getModel" }, world)));
}

function describeModel({ id, name, window, maxInput, maxOutput, reasoning }: Model): JsonObject {
  return {
    name: `models/${id}`,
    version: /\d+(?:\.\d+)?/.exec(name)?.[0] ?? "001",
    displayName: displayName(name),
    description: "A simulated model.",
    inputTokenLimit: maxInput ?? window,
    outputTokenLimit: maxOutput,
    supportedGenerationMethods: ["generateContent", "countTokens"],
    temperature: 1,
    topP: 0.95,
    topK: 64,
    maxTemperature: 2,
    ...(reasoning.kind !== "none" && { thinking: true }),
  };
}

function displayName(name: string): string {
  return name
    .split("-")
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(" ");
}

/** Names of `google.rpc.Code`. */
const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** Google's messages for overload, which replace those of injected faults. */
const BUSY: Readonly<Record<number, string>> = {
  429: "Resource has been exhausted (e.g. check quota).",
  503: "The model is overloaded. Please try again later.",
};
const RETRY = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" };

function errorOf({ status, message, details }: Rejection): JsonObject {
  const more = details.more ?? (status === 429 ? [RETRY] : []);
  return {
    code: status,
    message: BUSY[status] ?? message,
    status: STATUSES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE"),
    ...(more.length > 0 && { details: more }),
  };
}
