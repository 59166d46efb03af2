import type { WireId } from "@longhaul/conversation";
import type { Action, Outgoing } from "@longhaul/upstream";

/** The methods that a path of the model API can have. */
type Method = Outgoing["method"];

/** What a method and path of the model API mean. */
export interface Endpoint {
  readonly wire: WireId;
  readonly action: Action;
  readonly method: Method;
  /** Said by the path where the format says it there. */
  readonly model?: string;
  readonly stream?: boolean;
  /** What follows the version, for what is passed on. */
  readonly rest?: string;
}

/** A pattern for methods and path. Named groups become parts of the endpoint. */
interface Row {
  readonly methods: readonly Method[];
  readonly path: RegExp;
  readonly wire: WireId;
  readonly action: Action;
  /** The header that tells this dialect's clients from those of another one with the same path. */
  readonly header?: string;
}

const GET: readonly Method[] = ["GET"];
const POST: readonly Method[] = ["POST"];
const ANY: readonly Method[] = ["GET", "POST", "DELETE"];

/** Anthropic's clients always say which version they speak; OpenAI's have no such header. */
const ANTHROPIC = { wire: "anthropic-messages", header: "anthropic-version" };

/** Paths of OpenAI's dialect that are passed on to an upstream that has them. */
const CHAT_PATHS = "embeddings|completions|moderations|audio|images|files|batches|vector_stores";
const RESPONSES_PATHS = "responses/[^/]+|conversations";

/** The first row that matches wins. `/v1` may be missing, because clients are pointed at the gateway both ways. */
const ROWS: readonly Row[] = [
  { methods: POST, path: /^(?:\/v1)?\/messages$/, wire: "anthropic-messages", action: "generate" },
  { methods: POST, path: /^(?:\/v1)?\/messages\/count_tokens$/, wire: "anthropic-messages", action: "count-tokens" },
  { methods: POST, path: /^(?:\/v1)?\/chat\/completions$/, wire: "openai-chat", action: "generate" },
  { methods: POST, path: /^(?:\/v1)?\/responses$/, wire: "openai-responses", action: "generate" },
  { methods: POST, path: /^(?:\/v1)?\/responses\/input_tokens$/, wire: "openai-responses", action: "count-tokens" },
  { methods: GET, path: /^(?:\/v1)?\/models(?:\/(?<model>.+))?$/, action: "list-models", ...ANTHROPIC },
  { methods: GET, path: /^(?:\/v1)?\/models(?:\/(?<model>.+))?$/, wire: "openai-chat", action: "list-models" },
  { methods: GET, path: /^\/v1beta\/models(?:\/(?<model>[^:]+))?$/, wire: "gemini", action: "list-models" },
  { methods: POST, path: geminiPath("(?:generateContent|(?<stream>stream)GenerateContent)"), ...gemini("generate") },
  { methods: POST, path: geminiPath("countTokens"), ...gemini("count-tokens") },
  { methods: POST, path: geminiPath("(?:embedContent|batchEmbedContents)"), ...gemini("pass") },
  { methods: ANY, path: passedPath("messages/batches"), wire: "anthropic-messages", action: "pass" },
  { methods: ANY, path: passedPath("files"), action: "pass", ...ANTHROPIC },
  { methods: ANY, path: passedPath(RESPONSES_PATHS), wire: "openai-responses", action: "pass" },
  { methods: ANY, path: passedPath(CHAT_PATHS), wire: "openai-chat", action: "pass" },
];

function gemini(action: Action): { wire: WireId; action: Action } {
  return { wire: "gemini", action };
}

/** The model's name may hold colons and slashes, which Google's own SDK leaves as they are. */
function geminiPath(verb: string): RegExp {
  return new RegExp(`^/(?:v1beta|v1)(?<rest>/models/(?<model>.+):${verb})$`);
}

function passedPath(paths: string): RegExp {
  return new RegExp(`^(?:/v1)?(?<rest>/(?:${paths})(?:/.*)?)$`);
}

/** The endpoint at a method and path, for a client with these headers; nothing where the model API has none. */
export function findEndpoint(
  method: string,
  path: string,
  headers: Readonly<Record<string, unknown>> = {},
): Endpoint | undefined {
  for (const row of ROWS) {
    const known = row.methods.find((name) => name === method);
    if (known === undefined || (row.header !== undefined && headers[row.header] === undefined)) continue;
    const found = row.path.exec(path);
    if (found !== null) return endpointOf(row, known, found.groups ?? {});
  }
  return undefined;
}

function endpointOf(
  { wire, action }: Row,
  method: Method,
  groups: Readonly<Record<string, string | undefined>>,
): Endpoint {
  const { model, stream, rest } = groups;
  return {
    wire,
    action,
    method,
    ...(model === undefined ? {} : { model: decodeURIComponent(model) }),
    ...(wire === "gemini" && action === "generate" ? { stream: stream !== undefined } : {}),
    ...(action === "pass" && rest !== undefined ? { rest } : {}),
  };
}
