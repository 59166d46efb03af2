import type { WireId } from "@longhaul/conversation";
import type { Outgoing } from "@longhaul/upstream";
import { CODECS } from "@longhaul/wire";

/** A method and path that are passed on to an upstream of the dialect. Every other path is refused. */
export interface PassedPath {
  readonly wire: WireId;
  readonly method: Outgoing["method"];
  /** The path after the version. `{name}` matches one segment, `{model}` one or more. */
  readonly template: string;
  /** Whether it reads or changes something that the vendor keeps for the account: a file, a batch, a stored response. */
  readonly isStateful: boolean;
  /** Whether the answer is a file that somebody uploaded, of any type. */
  readonly isFile: boolean;
  /** Whether only clients that send `anthropic-version` mean it. */
  readonly isAnthropicFiles?: boolean;
}

/** Methods and template of a path, as in `GET|DELETE /files/{id}`. */
type Line = `${string} /${string}`;

/** Paths at which a model or a classifier answers; the vendor keeps nothing. */
const CALLS: Readonly<Record<string, readonly Line[]>> = {
  "openai-responses": ["POST /responses/compact"],
  "openai-chat": [
    "POST /embeddings",
    "POST /completions",
    "POST /moderations",
    "POST /audio/speech",
    "POST /audio/transcriptions",
    "POST /audio/translations",
    "POST /images/generations",
    "POST /images/edits",
    "POST /images/variations",
  ],
  gemini: ["POST /models/{model}:embedContent", "POST /models/{model}:batchEmbedContents"],
};

const FILES: readonly Line[] = ["GET|POST /files", "GET|DELETE /files/{id}", "GET /files/{id}/content"];

/** Paths at which the vendor keeps something for the account whose key is used. */
const STATEFUL: Readonly<Record<string, readonly Line[]>> = {
  "anthropic-messages": [
    "GET|POST /messages/batches",
    "GET|DELETE /messages/batches/{id}",
    "GET /messages/batches/{id}/results",
    "POST /messages/batches/{id}/cancel",
  ],
  "openai-responses": [
    "GET|DELETE /responses/{id}",
    "GET /responses/{id}/input_items",
    "POST /responses/{id}/cancel",
    "POST /conversations",
    "GET|POST|DELETE /conversations/{id}",
    "GET|POST /conversations/{id}/items",
    "GET|DELETE /conversations/{id}/items/{item}",
  ],
  "openai-chat": [
    ...FILES,
    "GET|POST /batches",
    "GET /batches/{id}",
    "POST /batches/{id}/cancel",
    "GET|POST /vector_stores",
    "GET|POST|DELETE /vector_stores/{id}",
    "POST /vector_stores/{id}/search",
    "GET|POST /vector_stores/{id}/files",
    "GET|POST|DELETE /vector_stores/{id}/files/{file}",
    "GET /vector_stores/{id}/files/{file}/content",
    "POST /vector_stores/{id}/file_batches",
    "GET /vector_stores/{id}/file_batches/{batch}",
    "POST /vector_stores/{id}/file_batches/{batch}/cancel",
    "GET /vector_stores/{id}/file_batches/{batch}/files",
  ],
};

const METHODS = ["GET", "POST", "DELETE"] as const;

/** Every path that is passed on. Where two match, the first one counts. */
export const PASSED_PATHS: readonly PassedPath[] = [
  ...FILES.flatMap((line) => pathsOf("anthropic-messages", line, true)).map((path) => ({
    ...path,
    isAnthropicFiles: true,
  })),
  ...pathsIn(CALLS, false),
  ...pathsIn(STATEFUL, true),
];

function pathsIn(table: Readonly<Record<string, readonly Line[]>>, isStateful: boolean): PassedPath[] {
  return CODECS.flatMap(({ id }) => (table[id] ?? []).flatMap((line) => pathsOf(id, line, isStateful)));
}

function pathsOf(wire: WireId, line: Line, isStateful: boolean): PassedPath[] {
  const [methods = "", template = ""] = line.split(" ");
  const isFile = template.endsWith("/content");
  const named = METHODS.filter((method) => methods.split("|").includes(method));
  return named.map((method) => ({ wire, method, template, isStateful, isFile }));
}
