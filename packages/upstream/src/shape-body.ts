import { isJsonObject, type JsonObject, LonghaulError } from "@longhaul/conversation";
import type { Outgoing } from "./upstream.ts";

const BEDROCK_VERSION = "bedrock-2023-05-31";
const VERTEX_VERSION = "vertex-2023-10-16";

/** Bedrock has model and streaming in the path, and betas in the body. */
export function bedrockBody(body: Uint8Array, { headers }: Outgoing): Uint8Array {
  const { model: _, stream: __, ...rest } = parseBody(body);
  const betas = headers["anthropic-beta"]?.split(",").map((beta) => beta.trim()) ?? [];
  const known = betas.length === 0 ? {} : { anthropic_beta: betas };
  return writeBody({ anthropic_version: BEDROCK_VERSION, ...known, ...rest });
}

/** Vertex has the model in the path; counting tokens still names it in the body. */
export function vertexBody(body: Uint8Array, { action }: Outgoing): Uint8Array {
  const { model, ...rest } = parseBody(body);
  const named = action === "count-tokens" && model !== undefined ? { model } : {};
  return writeBody({ anthropic_version: VERTEX_VERSION, ...named, ...rest });
}

function parseBody(body: Uint8Array): JsonObject {
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  if (isJsonObject(value)) return value;
  throw new LonghaulError("request.malformed", "the body is not a JSON object");
}

function writeBody(value: JsonObject): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
