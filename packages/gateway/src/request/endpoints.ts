import type { WireId } from "@longhaul/conversation";
import { type Action, encodeSegment, type Outgoing } from "@longhaul/upstream";
import { CODECS, type Codec, codecOf, type PathPattern } from "@longhaul/wire";

type Method = Outgoing["method"];

/** A method and path of the model API, resolved. */
export interface Endpoint {
  readonly wire: WireId;
  readonly action: Action;
  readonly method: Method;
  /** Set if the format puts the model in the path. */
  readonly model?: string;
  readonly stream?: boolean;
  readonly passed?: PassedEndpoint;
}

/** The template that a passed path matched, and the decoded values of its placeholders. */
export interface PassedEndpoint extends Pick<PassedPath, "template" | "isStateful" | "isFile"> {
  readonly values: Readonly<Record<string, string>>;
}

/** A method and path that are passed on to an upstream of the dialect. Every other path is rejected. */
export interface PassedPath {
  readonly wire: WireId;
  readonly method: Outgoing["method"];
  /** The path after the version. `{name}` matches one segment, `{model}` one or more. */
  readonly template: string;
  /** Whether it reads or changes something that the vendor stores for the account: a file, a batch, a stored response. */
  readonly isStateful: boolean;
  /** Whether the answer is an uploaded file of any type. */
  readonly isFile: boolean;
  /** Whether another dialect has the same path: then it applies only to clients that send this dialect's own header. */
  readonly isShared: boolean;
}

/** A pattern for method and path. Named groups become parts of the endpoint. */
interface Row {
  readonly method: Method;
  readonly path: RegExp;
  readonly wire: WireId;
  readonly action: Action;
  /** The header that identifies this dialect's clients if another dialect has the same path. */
  readonly header?: string | undefined;
  /** Whether the path says if the answer is a stream. */
  readonly selectsStream?: boolean;
  readonly passed?: PassedPath;
}

const METHODS = ["GET", "POST", "DELETE"] as const;

/** Every passed path. If two match, the first one applies. */
export const PASSED_PATHS: readonly PassedPath[] = CODECS.flatMap(passedPaths);

function passedPaths({ id: wire, api: { passed } }: Codec): PassedPath[] {
  const { calls, stateful, shared } = passed;
  return [
    ...shared.flatMap((line) => pathsOf(line, { wire, isStateful: true, isShared: true })),
    ...calls.flatMap((line) => pathsOf(line, { wire, isStateful: false, isShared: false })),
    ...stateful.flatMap((line) => pathsOf(line, { wire, isStateful: true, isShared: false })),
  ];
}

function pathsOf(line: PathPattern, traits: Pick<PassedPath, "wire" | "isStateful" | "isShared">): PassedPath[] {
  const [methods = "", template = ""] = line.split(" ");
  const isFile = template.endsWith("/content");
  const named = METHODS.filter((method) => methods.split("|").includes(method));
  return named.map((method) => ({ ...traits, method, template, isFile }));
}

const PLACEHOLDER = /\{(\w+)\}/g;
const MODEL = "model";

/** The first row that matches wins. */
const ROWS: readonly Row[] = [...CODECS.flatMap(rowsOf), ...PASSED_PATHS.map(passedRow)];

function rowsOf({ id: wire, api: { endpoints, clientHeader } }: Codec): Row[] {
  return endpoints.map(({ isShared, ...row }) => ({ ...row, wire, ...(isShared && { header: clientHeader }) }));
}

function passedRow(passed: PassedPath): Row {
  const { method, wire, template, isShared } = passed;
  const { version, clientHeader } = codecOf(wire).api;
  const pattern = template.replace(PLACEHOLDER, (_, name) => `(?<${name}>${name === MODEL ? ".+" : "[^/]+"})`);
  const path = new RegExp(`^${version}${pattern}$`);
  return { method, path, wire, action: "pass", passed, ...(isShared && { header: clientHeader }) };
}

/** Returns the endpoint at a method and a decoded path (see `checkHead`) for a client with these headers, if the model API has one. */
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
  { wire, action, method, passed, selectsStream }: Row,
  groups: Readonly<Record<string, string | undefined>>,
): Endpoint {
  const { model, stream, ...others } = groups;
  const values = Object.entries(others).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    wire,
    action,
    method,
    ...(model === undefined ? {} : { model }),
    ...(selectsStream === true && { stream: stream !== undefined }),
    ...(passed && { passed: { ...passed, values: Object.fromEntries(values) } }),
  };
}

/** Builds the path after the version from a template and its values, each encoded as one segment. */
export function fillTemplate({ template, values }: PassedEndpoint, model: string): string {
  return template.replace(PLACEHOLDER, (_, name) => encodeSegment(name === MODEL ? model : (values[name] ?? "")));
}

/** Guesses the dialect of a client whose path is not served, so that it can read the error; undefined outside the model API. */
export function guessWire(target: string, headers: Readonly<Record<string, unknown>>): WireId | undefined {
  return CODECS.find(({ api: { ownPaths, clientHeader } }) => {
    const isOwnClient = clientHeader !== undefined && headers[clientHeader] !== undefined;
    return ownPaths.test(target) || (isOwnClient && target.startsWith("/v1/"));
  })?.id;
}
