import { isJsonObject, type JsonObject, LonghaulError, parseJsonText } from "@longhaul/conversation/advanced";
import type { Outgoing } from "./upstream.ts";

/** A surrogate without its partner, which UTF-8 cannot encode. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Encodes a name as exactly one path segment. Throws `request.malformed` for a name that no segment can contain. */
export function encodeSegment(name: string): string {
  // URL parsers resolve dot segments, even encoded ones: the request would reach another path.
  if (name === "" || name === "." || name === ".." || LONE_SURROGATE.test(name)) {
    throw new LonghaulError(
      "request.malformed",
      `${JSON.stringify(name)} cannot be part of a path; use another model name or ID`,
    );
  }
  return encodeURIComponent(name);
}

export function anthropicPath({ action, path }: Outgoing): string | undefined {
  switch (action) {
    case "generate":
      return "/v1/messages";
    case "count-tokens":
      return "/v1/messages/count_tokens";
    case "list-models":
      return "/v1/models";
    case "pass":
      return path && `/v1${path}`;
    default:
      return action satisfies never;
  }
}

/** The version is part of the base URL. */
export function openaiPath({ action, wire, path }: Outgoing): string | undefined {
  switch (action) {
    case "generate":
      return wire === "openai-responses" ? "/responses" : "/chat/completions";
    case "count-tokens":
      return "/responses/input_tokens";
    case "list-models":
      return "/models";
    case "pass":
      return path;
    default:
      return action satisfies never;
  }
}

/** Model and streaming are part of the path. */
export function geminiPath({ action, model, stream, path }: Outgoing): string | undefined {
  switch (action) {
    case "generate":
      return `/v1beta/models/${encodeSegment(model)}:${geminiVerb(stream)}`;
    case "count-tokens":
      return `/v1beta/models/${encodeSegment(model)}:countTokens`;
    case "list-models":
      return "/v1beta/models";
    case "pass":
      return path && `/v1beta${path}`;
    default:
      return action satisfies never;
  }
}

function geminiVerb(stream: boolean): string {
  return stream ? "streamGenerateContent?alt=sse" : "generateContent";
}

/** Bedrock's invoke API has no token counts and no model list at this address. */
export function bedrockPath({ action, model, stream }: Outgoing): string | undefined {
  if (action !== "generate") return undefined;
  return `/model/${encodeSegment(model)}/${stream ? "invoke-with-response-stream" : "invoke"}`;
}

export function vertexClaudePath({ action, model, stream }: Outgoing): string | undefined {
  if (action === "count-tokens") return "/publishers/anthropic/models/count-tokens:rawPredict";
  if (action !== "generate") return undefined;
  return `/publishers/anthropic/models/${encodeSegment(model)}:${stream ? "streamRawPredict" : "rawPredict"}`;
}

export function vertexGeminiPath({ action, model, stream }: Outgoing): string | undefined {
  const at = `/publishers/google/models/${encodeSegment(model)}`;
  if (action === "count-tokens") return `${at}:countTokens`;
  return action === "generate" ? `${at}:${geminiVerb(stream)}` : undefined;
}

const BEDROCK_VERSION = "bedrock-2023-05-31";
const VERTEX_VERSION = "vertex-2023-10-16";

/** Bedrock expects model and streaming in the path and betas in the body. */
export function bedrockBody(body: Uint8Array, { headers }: Outgoing): Uint8Array {
  const { model: _, stream: __, ...rest } = parseBody(body);
  const betas = headers["anthropic-beta"]?.split(",").map((beta) => beta.trim()) ?? [];
  const known = betas.length === 0 ? {} : { anthropic_beta: betas };
  return writeBody({ anthropic_version: BEDROCK_VERSION, ...known, ...rest });
}

/** Vertex expects the model in the path; token counts still name it in the body. */
export function vertexBody(body: Uint8Array, { action }: Outgoing): Uint8Array {
  const { model, ...rest } = parseBody(body);
  const named = action === "count-tokens" && model !== undefined ? { model } : {};
  return writeBody({ anthropic_version: VERTEX_VERSION, ...named, ...rest });
}

function parseBody(body: Uint8Array): JsonObject {
  const value: unknown = parseJsonText(new TextDecoder().decode(body));
  if (isJsonObject(value)) return value;
  throw new LonghaulError("request.malformed", "the body is not a JSON object");
}

function writeBody(value: JsonObject): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
