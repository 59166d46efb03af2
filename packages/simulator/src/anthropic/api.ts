import type { Model } from "@longhaul/models/catalog";
import { type Api, type Call, type Dialect, ensure, jsonReply, Rejection, type Reply, withKey } from "../core/api.ts";
import { isObject, type JsonObject, textIn } from "../core/json.ts";
import { knownModel, modelsFrom, type World } from "../core/world.ts";
import { answerMessages, countTokens } from "./answer.ts";
import { type MessagesRequest, messagesIn } from "./request.ts";

export const anthropicDialect: Dialect = {
  error: (rejection, requestId) => ({
    kind: "json",
    status: rejection.status,
    headers: { "request-id": requestId, ...rejection.details.headers },
    body: { type: "error", error: errorOf(rejection), request_id: requestId },
  }),
  streamError: (rejection) => [{ event: "error", data: JSON.stringify({ type: "error", error: errorOf(rejection) }) }],
};

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
    {
      method: "GET",
      pattern: /^\/v1\/models$/,
      header: "anthropic-version",
      answer: withKey(authenticate, listModels),
    },
    {
      method: "GET",
      pattern: /^\/v1\/models\/(.+)$/,
      header: "anthropic-version",
      answer: withKey(authenticate, retrieveModel),
    },
    { method: "HEAD", pattern: /^\/(api\/hello)?$/, answer: () => jsonReply({}) },
  ],
};

function readCall(call: Call, world: World): MessagesRequest {
  const credential = authenticate(call, world);
  ensure(textIn(call.headers["anthropic-version"]) !== "", "anthropic-version: header is required");
  checkSize(call.bytes.length, MAX_BYTES);
  const body = readBody(call.body);
  ensure(textIn(body.model) !== "", "model: Field required");
  const model = requireModel(textIn(body.model), world);
  call.record.model = model.id;
  const isStream = body.stream === true;
  call.record.isStream = isStream;
  const betas = betasIn(call);
  const refused = world.settings.refusedBetas.find((beta) => betas.has(beta));
  ensure(refused === undefined, `Unexpected value(s) \`${refused}\` for the \`anthropic-beta\` header.`);
  return { api: "anthropic", body, model, messages: messagesIn(body), betas, isStream, credential };
}

export function betasIn({ headers }: Call): ReadonlySet<string> {
  const names = textIn(headers["anthropic-beta"]).split(",");
  return new Set(names.map((beta) => beta.trim()));
}

const MAX_BYTES = 32 * 1024 * 1024;

export function checkSize(bytes: number, limit: number): void {
  if (bytes > limit) throw new Rejection(413, "Request exceeds the maximum size");
}

export function readBody(body: unknown): MessagesRequest["body"] {
  ensure(body !== undefined, "The request body is not valid JSON: unexpected end of data: line 1 column 1 (char 0)");
  ensure(isObject(body), "Input should be a valid dictionary or object to extract fields from");
  return body;
}

function authenticate({ headers }: Call, { settings }: World): string {
  const bearer = /^Bearer (.+)$/.exec(textIn(headers.authorization))?.[1];
  const key = textIn(headers["x-api-key"]) || bearer || "";
  if (key === "") throw new Rejection(401, "x-api-key header is required");
  if (settings.keys.length > 0 && !settings.keys.includes(key)) throw new Rejection(401, "invalid x-api-key");
  return key;
}

const ANTHROPIC_MODELS = { platform: "anthropic", vendors: ["anthropic"] } as const;

export function requireModel(id: string, { catalog }: World): Model {
  const model = knownModel(catalog, id, ANTHROPIC_MODELS);
  if (model === undefined) throw new Rejection(404, `model: ${id}`);
  return model;
}

export function listModels(call: Call, { catalog }: World): Reply {
  const limit = Number(call.query.get("limit") ?? DEFAULT_LIMIT);
  const models = modelsFrom(catalog, ANTHROPIC_MODELS).map(describeModel);
  const from = models.findIndex(({ id }) => id === call.query.get("after_id")) + 1;
  const data = models.slice(from, from + limit);
  const body = {
    data,
    has_more: from + limit < models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    next_page: null,
  };
  return jsonReply(body, { "request-id": call.requestId });
}

const DEFAULT_LIMIT = 20;

export function retrieveModel(call: Call, world: World): Reply {
  const model = requireModel(call.params[0] ?? "", world);
  return jsonReply(describeModel(model), { "request-id": call.requestId });
}

function describeModel(model: Model): JsonObject {
  return {
    type: "model",
    id: model.id,
    display_name: displayName(model.name),
    created_at: "1970-01-01T00:00:00Z",
    lifecycle: "active",
    deprecated_at: null,
    retires_at: null,
    line: /(haiku|sonnet|opus|fable|mythos)/.exec(model.name)?.[1] ?? null,
    max_input_tokens: model.maxInput ?? model.window,
    max_tokens: model.maxOutput,
    capabilities: capabilitiesOf(model),
  };
}

function displayName(name: string): string {
  const words = name.replace(/-(\d+)-(\d+)$/, "-$1.$2").split("-");
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(" ");
}

function capabilitiesOf({ reasoning, compaction, images }: Model): JsonObject {
  const levels = reasoning.levels.filter((level) => level !== "none");
  const thinks = reasoning.thinkingTypes.length > 0;
  const level = (name: string) => ({ supported: levels.some((known) => known === name) });
  const type = (name: string) => ({ supported: reasoning.thinkingTypes.some((known) => known === name) });
  return {
    batch: { supported: true },
    citations: { supported: true },
    code_execution: { supported: true },
    compaction: { supported: compaction.onDemand },
    context_management: {
      supported: true,
      clear_thinking_20251015: { supported: thinks },
      clear_tool_uses_20250919: { supported: true },
      compact_20260112: { supported: compaction.threshold },
    },
    effort: {
      supported: levels.length > 0,
      ...Object.fromEntries(["low", "medium", "high", "xhigh", "max"].map((name) => [name, level(name)])),
    },
    image_input: { supported: images.supported },
    pdf_input: { supported: images.supported },
    structured_outputs: { supported: true },
    thinking: {
      supported: thinks,
      types: {
        adaptive: type("adaptive"),
        enabled: type("enabled"),
        disabled: { supported: !thinks || !reasoning.mandatory },
        between_tools: { supported: false },
      },
    },
  };
}

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

function errorOf({ status, message, details }: Rejection) {
  const type = details.type ?? TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { type, message, ...(details.code !== undefined && { details: { error_code: details.code } }) };
}
