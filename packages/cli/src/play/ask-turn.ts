import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, LonghaulError } from "@longhaul/conversation";

/** What became of one request. */
export interface Turn {
  /** Tokens of the request as it came, and as it was sent. */
  readonly cameTokens: number;
  readonly sentTokens: number;
  /** Of those that were sent, how many the vendor's cache had. */
  readonly cachedTokens: number;
  /** Whether a smaller form was made for it, or used again. */
  readonly origin: "" | "new" | "reused";
  readonly strategy: string;
  /** Blocks of the answer. */
  readonly content: readonly JsonValue[];
}

/** Where a request goes. */
export interface TurnRequest {
  readonly url: string;
  readonly session: string;
  readonly body: JsonObject;
  readonly signal?: AbortSignal;
}

/** Sends one Messages request through the gateway. An answer that is an error throws. */
export async function askTurn({ url, session, body, signal }: TurnRequest): Promise<Turn> {
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

function readTurn({ content, usage }: JsonObject, headers: Headers): Turn {
  const used = (name: string) => (isJsonObject(usage) && typeof usage[name] === "number" ? usage[name] : 0);
  const cachedTokens = used("cache_read_input_tokens");
  const reported = used("input_tokens") + used("cache_creation_input_tokens") + cachedTokens;
  const came = Number(headers.get("x-original-tokens") ?? reported);
  const origin = headers.get("x-longhaul-context");
  return {
    cameTokens: came,
    sentTokens: Number(headers.get("x-compressed-tokens") ?? came),
    cachedTokens,
    origin: origin === "new" || origin === "reused" ? origin : "",
    strategy: headers.get("x-longhaul-strategy") ?? "",
    content: content !== undefined && isJsonArray(content) ? content : [],
  };
}

function refused(status: number, answer: unknown): LonghaulError {
  const { error } = isJsonObject(answer) ? answer : {};
  const why = isJsonObject(error) && typeof error.message === "string" ? error.message : "no reason was given";
  return new LonghaulError("upstream.refused", `a turn was refused with status ${status}: ${why}`, { status });
}

/** What coding agents mark their system prompt and latest message with, so that the vendor caches everything up to there. */
export const CACHED = { type: "ephemeral" } as const;

/** Messages whose last one is marked. */
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
