import type { WireId } from "@longhaul/conversation";
import type { Action } from "@longhaul/upstream";

/** What a path of the model API means. */
export interface Endpoint {
  readonly wire: WireId;
  readonly action: Action;
  /** Said by the path where the format says it there (Gemini). */
  readonly model?: string;
  readonly stream?: boolean;
  /** What follows the version, for what is passed on. */
  readonly rest?: string;
}

/** A pattern for method and path. Named groups become parts of the endpoint. */
interface Row {
  readonly method: string;
  readonly path: RegExp;
  readonly wire: WireId;
  readonly action: Action;
}

/** Paths of a known dialect that are passed on to an upstream that has them. */
const PASSED =
  "embeddings|completions|moderations|audio|images|files|batches|messages/batches|vector_stores|responses/[^/]+";

/** The first row that matches wins. `/v1` may be missing, because clients are pointed at the gateway both ways. */
const ROWS: readonly Row[] = [
  { method: "POST", path: /^(?:\/v1)?\/messages$/, wire: "anthropic-messages", action: "generate" },
  { method: "POST", path: /^(?:\/v1)?\/messages\/count_tokens$/, wire: "anthropic-messages", action: "count-tokens" },
  { method: "POST", path: /^(?:\/v1)?\/chat\/completions$/, wire: "openai-chat", action: "generate" },
  { method: "POST", path: /^(?:\/v1)?\/responses$/, wire: "openai-responses", action: "generate" },
  { method: "POST", path: /^(?:\/v1)?\/responses\/input_tokens$/, wire: "openai-responses", action: "count-tokens" },
  { method: "GET", path: /^(?:\/v1)?\/models(?:\/[^/]+)?$/, wire: "openai-chat", action: "list-models" },
  { method: "GET", path: /^\/v1beta\/models(?:\/[^/:]+)?$/, wire: "gemini", action: "list-models" },
  { method: "POST", path: geminiPath("generateContent"), wire: "gemini", action: "generate" },
  { method: "POST", path: geminiPath("(?<stream>streamGenerateContent)"), wire: "gemini", action: "generate" },
  { method: "POST", path: geminiPath("countTokens"), wire: "gemini", action: "count-tokens" },
  { method: "*", path: /^(?:\/v1)?(?<rest>\/messages\/batches(?:\/.*)?)$/, wire: "anthropic-messages", action: "pass" },
  { method: "*", path: new RegExp(`^(?:/v1)?(?<rest>/(?:${PASSED})(?:/.*)?)$`), wire: "openai-chat", action: "pass" },
];

function geminiPath(verb: string): RegExp {
  return new RegExp(`^/(?:v1beta|v1)/models/(?<model>[^/:]+):${verb}$`);
}

/** The endpoint at a method and path; nothing where the model API has none. */
export function findEndpoint(method: string, path: string): Endpoint | undefined {
  for (const row of ROWS) {
    const found = row.method === "*" || row.method === method ? row.path.exec(path) : null;
    if (found !== null) return endpointOf(row, found.groups ?? {});
  }
  return undefined;
}

function endpointOf({ wire, action }: Row, groups: Readonly<Record<string, string | undefined>>): Endpoint {
  const { model, stream, rest } = groups;
  const said =
    wire === "gemini" && model !== undefined ? { model: decodeURIComponent(model), stream: stream !== undefined } : {};
  return { wire, action, ...said, ...(rest === undefined ? {} : { rest }) };
}
