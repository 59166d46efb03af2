import type { WireId } from "@longhaul/conversation";
import { type Action, encodeSegment, type Outgoing } from "@longhaul/upstream";
import { CODECS, type Codec, codecOf } from "@longhaul/wire";
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
  readonly header?: string | undefined;
  /** Whether the path says if the answer is streamed. */
  readonly saysStream?: boolean;
  readonly passed?: PassedPath;
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
  { wire, action, method, passed, saysStream }: Row,
  groups: Readonly<Record<string, string | undefined>>,
): Endpoint {
  const { model, stream, ...others } = groups;
  const values = Object.entries(others).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    wire,
    action,
    method,
    ...(model === undefined ? {} : { model }),
    ...(saysStream === true && { stream: stream !== undefined }),
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
  return CODECS.find(({ api: { ownTargets, clientHeader } }) => {
    const isOwnClient = clientHeader !== undefined && headers[clientHeader] !== undefined;
    return ownTargets.test(target) || (isOwnClient && target.startsWith("/v1/"));
  })?.id;
}
