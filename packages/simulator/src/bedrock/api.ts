import { answerMessages } from "../anthropic/answer.ts";
import { checkSize, readBody } from "../anthropic/api.ts";
import { type MessagesRequest, messagesIn } from "../anthropic/request.ts";
import { type Api, type Call, type Dialect, ensure, type Rejection, type Reply } from "../core/api.ts";
import { isObject, type JsonObject, numberIn, objectIn, parseJson, textIn, textsIn } from "../core/json.ts";
import { knownModel, type World } from "../core/world.ts";
import { checkSignature } from "./signature.ts";

/** Bedrock's errors: the type in a header, the message in the body; in streams, exceptions. */
export const bedrockDialect: Dialect = {
  error: (rejection, requestId) => ({
    kind: "json",
    status: rejection.status === 413 ? 400 : rejection.status,
    headers: { "x-amzn-requestid": requestId, "x-amzn-errortype": typeOf(rejection), ...rejection.details.headers },
    body: { message: messageOf(rejection) },
  }),
  streamError: (rejection) => {
    const type = typeOf(rejection);
    const event = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
    return [{ event, data: JSON.stringify({ message: messageOf(rejection) }) }];
  },
};

export const bedrockApi: Api = {
  id: "bedrock",
  dialect: bedrockDialect,
  routes: [
    { method: "POST", pattern: /^\/model\/(.+)\/invoke$/, answer: invoke },
    { method: "POST", pattern: /^\/model\/(.+)\/invoke-with-response-stream$/, answer: invokeStream },
  ],
};

const BEDROCK_MODELS = { platform: "bedrock", vendors: ["anthropic"] } as const;

function invoke(call: Call, world: World): Reply {
  const reply = answerMessages(readCall(call, world), call, world);
  if (reply.kind !== "json") return reply;
  const usage = objectIn(objectIn(reply.body).usage);
  const headers = {
    "x-amzn-requestid": call.requestId,
    "x-amzn-bedrock-input-token-count": `${numberIn(usage.input_tokens) ?? 0}`,
    "x-amzn-bedrock-output-token-count": `${numberIn(usage.output_tokens) ?? 0}`,
  };
  return { ...reply, headers };
}

/** Sends Messages API events in AWS frames, without pings; the last one adds Bedrock's metrics. */
function invokeStream(call: Call, world: World): Reply {
  call.record.isStream = true;
  const reply = answerMessages({ ...readCall(call, world), isStream: true }, call, world);
  if (reply.kind !== "stream") return reply;
  const events = reply.events
    .filter(({ event }) => event !== "ping")
    .map((event) => (event.event === "message_stop" ? { ...event, data: withMetrics(event.data ?? "", call) } : event));
  const headers = { "x-amzn-requestid": call.requestId, "x-amzn-bedrock-content-type": "application/json" };
  return { ...reply, headers, framing: "aws", events };
}

function withMetrics(data: string, { record }: Call): string {
  const event = parseJson(data);
  const metrics = {
    inputTokenCount: record.billed?.inputTokens ?? 0,
    outputTokenCount: record.billed?.outputTokens ?? 0,
    invocationLatency: 1,
    firstByteLatency: 1,
    cacheReadInputTokenCount: record.billed?.cacheReadTokens ?? 0,
    cacheWriteInputTokenCount: record.billed?.cacheWriteTokens ?? 0,
  };
  return JSON.stringify({ ...(isObject(event) && event), "amazon-bedrock-invocationMetrics": metrics });
}

function readCall(call: Call, world: World): MessagesRequest {
  const credential = authenticate(call, world);
  const id = call.params[0] ?? "";
  const model = knownModel(world.catalog, id, BEDROCK_MODELS);
  ensure(model !== undefined, "The provided model identifier is invalid.");
  call.record.model = model.id;
  checkSize(call.bytes.length, model.maxRequestBytes ?? Number.POSITIVE_INFINITY);
  const body = readBody(call.body);
  ensure(textIn(body.anthropic_version) !== "", "anthropic_version: Field required");
  ensure(
    body.anthropic_version === "bedrock-2023-05-31",
    `anthropic_version: ${textIn(body.anthropic_version)} is not supported`,
  );
  return {
    api: "bedrock",
    body,
    model,
    messages: messagesIn(body),
    betas: betasIn(body, model.betas),
    isStream: false,
    credential,
  };
}

function authenticate(call: Call, { settings, now }: World): string {
  const bearer = /^Bearer (.+)$/.exec(call.headers.authorization ?? "")?.[1];
  return bearer ?? checkSignature(call, settings.aws, now());
}

/** Bedrock rejects unknown betas. */
function betasIn({ anthropic_beta }: JsonObject, known: Readonly<Record<string, string>>): ReadonlySet<string> {
  const names = Object.values(known);
  const betas = textsIn(anthropic_beta);
  ensure(
    betas.every((beta) => names.includes(beta)),
    "invalid beta flag",
  );
  return new Set(betas);
}

const TYPES: Readonly<Record<number, string>> = {
  400: "ValidationException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  413: "ValidationException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  500: "InternalServerException",
  503: "ServiceUnavailableException",
};

function typeOf({ status, details }: Rejection): string {
  return details.type ?? TYPES[status] ?? (status < 500 ? "ValidationException" : "InternalServerException");
}

/** For a prompt that is too long, Bedrock reports neither its size nor the limit. */
function messageOf({ status, message }: Rejection): string {
  if (message.startsWith("prompt is too long:")) return "Input is too long for requested model.";
  if (status === 429) return "Too many tokens, please wait before trying again.";
  return message;
}
