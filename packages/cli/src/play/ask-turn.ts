import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
} from "@longhaul/conversation/advanced";

export interface PlayedTurn {
  readonly originalTokens: number;
  readonly sentTokens: number;
  /** Sent tokens that the vendor read from its cache. */
  readonly cachedTokens: number;
  /** Whether a condensed form was created for it or reused. */
  readonly origin: "" | "new" | "reused";
  readonly strategy: string;
  readonly content: readonly JsonValue[];
}

export interface TurnRequest {
  readonly url: string;
  readonly session: string;
  readonly body: JsonObject;
  readonly signal?: AbortSignal;
}

export async function askTurn({ url, session, body, signal }: TurnRequest): Promise<PlayedTurn> {
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "any",
      "anthropic-version": "2023-06-01",
      "x-session-id": session,
    },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw refused(response.status, answer);
  return readTurn(isJsonObject(answer) ? answer : {}, response.headers);
}

function readTurn({ content, usage }: JsonObject, headers: Headers): PlayedTurn {
  const used = (name: string) => (isJsonObject(usage) && typeof usage[name] === "number" ? usage[name] : 0);
  const cachedTokens = used("cache_read_input_tokens");
  const reported = used("input_tokens") + used("cache_creation_input_tokens") + cachedTokens;
  const originalTokens = Number(headers.get("x-original-tokens") ?? reported);
  const origin = headers.get("x-longhaul-context");
  return {
    originalTokens,
    sentTokens: Number(headers.get("x-compressed-tokens") ?? originalTokens),
    cachedTokens,
    origin: origin === "new" || origin === "reused" ? origin : "",
    strategy: headers.get("x-longhaul-strategy") ?? "",
    content: content !== undefined && isJsonArray(content) ? content : [],
  };
}

function refused(status: number, answer: unknown): LonghaulError {
  const { error } = isJsonObject(answer) ? answer : {};
  const why = isJsonObject(error) && typeof error.message === "string" ? error.message : "no reason given";
  return new LonghaulError("upstream.refused", `the request was rejected with status ${status}: ${why}`, { status });
}

/** The mark that coding agents put on their system prompt and latest message, so that the vendor caches everything up to it. */
export const CACHED = { type: "ephemeral" } as const;

export function markLast(messages: readonly JsonValue[]): JsonValue[] {
  const last = messages.at(-1);
  return isJsonObject(last) ? [...messages.slice(0, -1), marked(last)] : [...messages];
}

function marked({ content = "", ...message }: JsonObject): JsonObject {
  const blocks = isJsonArray(content) ? content : [{ type: "text", text: content }];
  const last = blocks.at(-1);
  const block = isJsonObject(last) ? [{ ...last, cache_control: CACHED }] : [];
  return { ...message, content: [...blocks.slice(0, -1), ...block] };
}
