import type { WireId } from "@longhaul/conversation";
import { type Action, encodeSegment, type Outgoing } from "@longhaul/upstream";
import { PASSED_PATHS, type PassedPath } from "./passed-paths.ts";

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
  /** The path of a request that is passed on, taken apart. */
  readonly passed?: PassedEndpoint;
}

/** A path that is passed on: the template that it matched and the decoded values of its placeholders. */
export interface PassedEndpoint extends Pick<PassedPath, "template" | "isStateful" | "isFile"> {
  readonly values: Readonly<Record<string, string>>;
}

/** A pattern for method and path. Named groups become parts of the endpoint. */
interface Row {
  readonly method: Method;
  readonly path: RegExp;
  readonly wire: WireId;
  readonly action: Action;
  /** The header that tells this dialect's clients from those of another one with the same path. */
  readonly header?: string;
  readonly passed?: PassedPath;
}

/** Anthropic's clients always say which version they speak; OpenAI's have no such header. */
const ANTHROPIC_HEADER = "anthropic-version";
const ANTHROPIC = { wire: "anthropic-messages", header: ANTHROPIC_HEADER } as const;

const PLACEHOLDER = /\{(\w+)\}/g;
const MODEL = "model";

/** The first row that matches wins. `/v1` may be missing, because clients are pointed at the gateway both ways. */
const ROWS: readonly Row[] = [
  { method: "POST", path: /^(?:\/v1)?\/messages$/, wire: "anthropic-messages", action: "generate" },
  { method: "POST", path: /^(?:\/v1)?\/messages\/count_tokens$/, wire: "anthropic-messages", action: "count-tokens" },
  { method: "POST", path: /^(?:\/v1)?\/chat\/completions$/, wire: "openai-chat", action: "generate" },
  { method: "POST", path: /^(?:\/v1)?\/responses$/, wire: "openai-responses", action: "generate" },
  { method: "POST", path: /^(?:\/v1)?\/responses\/input_tokens$/, wire: "openai-responses", action: "count-tokens" },
  { method: "GET", path: /^(?:\/v1)?\/models(?:\/(?<model>.+))?$/, action: "list-models", ...ANTHROPIC },
  { method: "GET", path: /^(?:\/v1)?\/models(?:\/(?<model>.+))?$/, wire: "openai-chat", action: "list-models" },
  { method: "GET", path: /^\/v1beta\/models(?:\/(?<model>[^:]+))?$/, wire: "gemini", action: "list-models" },
  { method: "POST", path: geminiPath("(?:generateContent|(?<stream>stream)GenerateContent)"), ...gemini("generate") },
  { method: "POST", path: geminiPath("countTokens"), ...gemini("count-tokens") },
  ...PASSED_PATHS.map(passedRow),
];

function gemini(action: Action): { wire: WireId; action: Action } {
  return { wire: "gemini", action };
}

/** The model's name may hold colons and slashes, which Google's own SDK leaves as they are. */
function geminiPath(verb: string): RegExp {
  return new RegExp(`^/(?:v1beta|v1)/models/(?<model>.+):${verb}$`);
}

function passedRow(passed: PassedPath): Row {
  const { method, wire, template, isAnthropicFiles = false } = passed;
  const version = wire === "gemini" ? "/(?:v1beta|v1)" : "(?:/v1)?";
  const pattern = template.replace(PLACEHOLDER, (_, name) => `(?<${name}>${name === MODEL ? ".+" : "[^/]+"})`);
  const path = new RegExp(`^${version}${pattern}$`);
  return { method, path, wire, action: "pass", passed, ...(isAnthropicFiles && { header: ANTHROPIC_HEADER }) };
}

/**
 * The endpoint at a method and a decoded path, as `checkHead` returns it, for a client with these headers; undefined if the model API has
 * none.
 */
export function findEndpoint(
  method: string,
  path: string,
  headers: Readonly<Record<string, unknown>> = {},
): Endpoint | undefined {
  for (const row of ROWS) {
    if (row.method !== method || (row.header !== undefined && headers[row.header] === undefined)) continue;
    const found = row.path.exec(path);
    if (found !== null) return endpointOf(row, found.groups ?? {});
  }
  return undefined;
}

function endpointOf(
  { wire, action, method, passed }: Row,
  groups: Readonly<Record<string, string | undefined>>,
): Endpoint {
  const { model, stream, ...others } = groups;
  const values = Object.entries(others).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    wire,
    action,
    method,
    ...(model === undefined ? {} : { model }),
    ...(wire === "gemini" && action === "generate" ? { stream: stream !== undefined } : {}),
    ...(passed && { passed: passedEndpoint(passed, Object.fromEntries(values)) }),
  };
}

function passedEndpoint(
  { template, isStateful, isFile }: PassedPath,
  values: PassedEndpoint["values"],
): PassedEndpoint {
  return { template, isStateful, isFile, values };
}

/** Builds the path after the version from a template and its values, each encoded as one segment. */
export function fillTemplate({ template, values }: PassedEndpoint, model: string): string {
  return template.replace(PLACEHOLDER, (_, name) => encodeSegment(name === MODEL ? model : (values[name] ?? "")));
}

/** Guesses the dialect of a client whose target is not served, so that it can read the error; undefined outside the model API. */
export function guessWire(target: string, headers: Readonly<Record<string, unknown>>): WireId | undefined {
  if (target.startsWith("/v1beta/")) return "gemini";
  if (!target.startsWith("/v1/")) return undefined;
  if (headers[ANTHROPIC_HEADER] !== undefined || target.startsWith("/v1/messages")) return "anthropic-messages";
  return /^\/v1\/(?:responses|conversations)/.test(target) ? "openai-responses" : "openai-chat";
}
