import { isJsonObject, type JsonObject, LonghaulError } from "@longhaul/conversation";
import { type Codec, codecOf, peekField, type Span } from "@longhaul/wire";
import type { Call, Received } from "../call.ts";
import type { Endpoint } from "../http/endpoints.ts";
import { once } from "../once.ts";
import { withReadableSummaries } from "../sealed-summary.ts";
import { findModelField, peekStream } from "./peek-body.ts";

/** Finds out what is asked for. A body that is not of the endpoint's format throws `request.malformed`. */
export function decode(received: Received): Call {
  const { id, caller, headers, query, endpoint, body: came } = received;
  const codec = codecFor(endpoint, came);
  const body = codec.id === "openai-responses" ? withReadableSummaries(came) : came;
  const value = once(() => parseBody(body));
  const request = once(() => codec.decodeRequest(value(), { ...endpoint }));
  const span = once(() => (endpoint.model === undefined ? findModelField(body, codec.messagesField) : undefined));
  return {
    id,
    caller,
    endpoint,
    headers,
    query,
    body,
    codec,
    model: endpoint.model ?? readModel(body, span()) ?? modelOf(value()),
    wantsStream: once(() => endpoint.stream ?? peekStream(body, codec.messagesField) ?? value().stream === true),
    modelSpan: span,
    value,
    request,
    wholeRequest: request,
  };
}

/** Cursor sends bodies in the Responses format to the chat endpoint and expects chat answers. */
function codecFor({ wire }: Endpoint, body: Uint8Array): Codec {
  const codec = codecOf(wire);
  if (wire !== "openai-chat") return codec;
  const responses = codecOf("openai-responses");
  const isResponses = peekField(body, responses.messagesField, codec.messagesField) !== undefined;
  return isResponses ? responses : codec;
}

/** The model that the body of any dialect names, without looking further; nothing where it is no JSON object or names none. */
export function peekModel(body: Uint8Array): { readonly model: string; readonly span: Span } | undefined {
  const span = findModelField(body, "");
  const model = readModel(body, span);
  return span === undefined || model === undefined ? undefined : { model, span };
}

function readModel(body: Uint8Array, span: Span | undefined): string | undefined {
  const model = span && readValue(body, span);
  return typeof model === "string" ? model : undefined;
}

function readValue(body: Uint8Array, { from, to }: Span): unknown {
  try {
    return JSON.parse(textOf(body.subarray(from, to)));
  } catch {
    return undefined;
  }
}

function parseBody(body: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(textOf(body));
  } catch (cause) {
    throw new LonghaulError(
      "request.malformed",
      `the body is not valid JSON: ${cause instanceof Error ? withoutExcerpt(cause.message) : ""}`,
      { cause },
    );
  }
  if (isJsonObject(value)) return value;
  throw new LonghaulError("request.malformed", "the body must be a JSON object");
}

/** V8 quotes the text around the fault, which may be anybody's secret. */
function withoutExcerpt(message: string): string {
  return message.replace(/, (?:\.\.\.)?".*$/s, "");
}

function modelOf({ model }: JsonObject): string {
  if (typeof model === "string" && model !== "") return model;
  throw new LonghaulError("request.malformed", "model: the request must name a model");
}

const utf8 = new TextDecoder();

function textOf(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
