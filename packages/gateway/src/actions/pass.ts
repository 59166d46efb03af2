import { LonghaulError } from "@longhaul/conversation";
import { peekModel, withReadableSummaries } from "@longhaul/fit";
import type { ModelMatch } from "@longhaul/models";
import { credentialKind } from "@longhaul/models/kinds";
import {
  answerHeaders,
  type Incoming,
  isStreamed,
  kindsPassing,
  mediaKind,
  type Outgoing,
  readRefusal,
  readWhole,
  type Upstream,
  type UpstreamHandle,
} from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { Snapshot } from "../configuration/snapshot.ts";
import { errorOutcome, jsonTextOutcome, type Outcome } from "../http/outcome.ts";
import { hideAddresses, redactAlso, redactBytes } from "../logging/redact.ts";
import { fillTemplate, findEndpoint } from "../request/endpoints.ts";
import type { Received, RequestContext } from "../request/request-context.ts";
import { type RequestRecord, timeWait } from "../request/request-record.ts";
import { renamed } from "../stages/encode.ts";
import { passOn } from "../stages/pass-on.ts";
import { keepsResponses } from "../stages/recall.ts";
import { alternativesIn, handlesFor, resolve } from "../stages/resolve.ts";
import { missingCredential, ownAddress, sharedPath, sharedReference } from "../stages/vendor-account.ts";
import { compact } from "./compact.ts";
import { answerKept, rejectUnkept } from "./kept-response.ts";

/**
 * Passes a request on unchanged, and its answer back. It is sent once, to one upstream: a file or batch may exist only there, and the
 * operation may not be idempotent.
 */
export async function pass(received: Received, context: RequestContext): Promise<Outcome> {
  const kept = answerKept(received, context);
  if (kept !== undefined) return kept;
  const { snapshot, signal, record } = context;
  const isCompaction = received.endpoint.passed?.template === COMPACT;
  const asked = isCompaction ? { ...received, body: withReadableSummaries(received.body) } : received;
  const route = chooseRoute(asked, snapshot);
  if (route === undefined) return isCompaction ? await compact(received, context) : unserved(received);
  const { handle, outgoing, asked: model, match } = route;
  const { upstream } = handle.connection;
  const refused =
    ownAddress(received, upstream) ?? missingCredential(received, upstream) ?? refuseShared(received, route, context);
  if (refused !== undefined) throw refused;
  record.attempts += 1;
  record.sentTo = { upstream: upstream.id, model: outgoing.model, match };
  if (model !== undefined) record.model = model;
  const answer = await timeWait(record, () => handle.connection.send(outgoing, signal));
  if (isCompaction && CANNOT.has(answer.status)) {
    await readWhole(answer.body);
    return await compact(received, context);
  }
  if (answer.status >= 400) return await refusalOf(answer, { received, upstream }, context);
  const isStream = isStreamed(answer, upstream, outgoing);
  return await answerOf({ ...answer, isStream }, received, record);
}

function refuseShared(received: Received, { handle }: PassRoute, { snapshot, memory }: RequestContext) {
  const use = { call: received, upstream: handle.connection.upstream, server: snapshot.config.server };
  const refused = sharedPath(use);
  if (refused !== undefined || !keepsResponses(received.endpoint.wire)) return refused;
  return sharedReference(use, (id) => memory.responses.owns(received.caller.credential, id));
}

interface Asked {
  readonly received: Received;
  readonly upstream: Upstream;
}

/** Passes on an upstream's error, with its own bytes if they are data. */
async function refusalOf(answer: Incoming, { received, upstream }: Asked, context: RequestContext): Promise<Outcome> {
  const { snapshot, record } = context;
  const { wire } = received.endpoint;
  const redact = redactAlso(snapshot.redact, received.headers);
  const hide = (text: string) => hideAddresses(redact(text), upstream.baseUrl);
  const { status, headers } = answer;
  const { error, body } = await readRefusal(answer, codecOf(wire));
  record.error = error;
  if (body === undefined || mediaKind(headers["content-type"]) !== "data") {
    const outcome = errorOutcome(wire, error, hide);
    return { ...outcome, headers: { ...answerHeaders(headers), ...outcome.headers } };
  }
  return { status, headers: answerHeaders(headers), body: redactBytes(body, hide), isStream: false };
}

/** Passes on an answer as it arrives. The usage that a model call reports counts as the request's cost. */
async function answerOf(answer: Incoming & { readonly isStream: boolean }, received: Received, record: RequestRecord) {
  const { endpoint } = received;
  const { status, headers, body, isStream } = answer;
  const { template = "", isStateful = false, isFile = false } = endpoint.passed ?? {};
  // Images and audio report usage like the Responses API.
  const codec = codecOf(/^\/(?:images|audio)\//.test(template) ? "openai-responses" : endpoint.wire);
  // Only the last event of a reply is known.
  if (isStream) return passOn({ status, headers, body, isStream, onEnd: () => {}, isReply: false }, codec, record);
  const isJson = /\bjson\b/.test(headers["content-type"] ?? "");
  if (isStateful && isJson && !isFile) {
    const json = (await readWhole(body)).toString("utf8");
    return jsonTextOutcome(withGatewayUrls(json, received.headers), status, answerHeaders(headers));
  }
  if (!isJson || isStateful) return { status, headers: answerHeaders(headers), body, isStream };
  return passOn({ status, headers, body: await readWhole(body), isStream }, codec, record);
}

const COMPACT = "/responses/compact";

/** Statuses of servers without this path. A 404 may also be about the model or a stored object. */
const CANNOT = new Set([405, 501]);

interface PassRoute {
  readonly handle: UpstreamHandle;
  readonly outgoing: Outgoing;
  /** The model name that the client sent. */
  readonly asked?: string;
  readonly match?: ModelMatch;
}

/** Chooses the route of the model that the request names, otherwise the first upstream that speaks the dialect; undefined if none has the path. */
function chooseRoute(received: Received, snapshot: Snapshot): PassRoute | undefined {
  const { endpoint, body, headers, caller } = received;
  const from = { credential: credentialKind(headers), key: caller.key };
  const { model, inBody } = modelOf(received);
  if (model === undefined) {
    const routes = handlesFor(from, snapshot).map((handle) => routeTo(handle, received, { model: "", body }));
    return routes.find(isServed);
  }
  const destinations = resolve(
    { ...from, model, wire: endpoint.wire, alternatives: alternativesIn(body, caller.key) },
    snapshot,
  );
  const routes = destinations.map((destination) => {
    const named = destination.model === model ? body : renamed(body, inBody?.span, destination.model);
    const route = routeTo(destination.handle, received, { model: destination.model, body: named });
    return { ...route, asked: model, match: destination.match };
  });
  return routes.find(isServed);
}

function modelOf({ endpoint, body }: Received) {
  const inBody = endpoint.model === undefined ? peekModel(body) : undefined;
  return { model: endpoint.model ?? inBody?.model, inBody };
}

function routeTo(
  handle: UpstreamHandle,
  received: Received,
  { model, body }: { model: string; body: Uint8Array },
): PassRoute {
  const { endpoint, headers, query } = received;
  const outgoing: Outgoing = {
    wire: endpoint.wire,
    action: "pass",
    method: endpoint.method,
    model,
    stream: false,
    headers,
    path: `${pathOf(received, model)}${query}`,
    ...(body.length === 0 ? {} : { body }),
  };
  return { handle, outgoing };
}

function pathOf({ endpoint: { passed } }: Received, model: string): string {
  return passed === undefined ? "" : fillTemplate(passed, model);
}

function isServed({ handle, outgoing }: PassRoute): boolean {
  const { deployment } = handle.connection.upstream;
  return deployment.wires.includes(outgoing.wire) && deployment.path(outgoing) !== undefined;
}

function unserved(received: Received): never {
  rejectUnkept(received);
  const { wire } = received.endpoint;
  const { model = "" } = modelOf(received);
  const who = model === "" ? "no upstream serves" : `no upstream for the model "${model}" serves`;
  const kind = OR.format(kindsPassing(wire));
  throw new LonghaulError(
    "route.unknown",
    `${who} ${pathOf(received, model)}; add an upstream of kind ${kind} and a route to it`,
  );
}

const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** A URL that clients follow. URLs need no JSON escapes, but some writers escape the slash. Lists page by id or token, without URLs. */
const FOLLOWED = /("results_url"\s*:\s*)("https?:(?:\\?\/){2}[^"\s]+")/g;

/**
 * Rewrites URLs in a vendor's answer to the gateway if it serves their path: clients follow them with the gateway's key, which the vendor must
 * not see. Every other byte stays: citation and image URLs point to other sites.
 */
export function withGatewayUrls(json: string, headers: Received["headers"]): string {
  const base = baseOf(headers);
  if (base === undefined) return json;
  return json.replace(FOLLOWED, (field: string, name: string, quoted: string) => {
    const path = servedPath(quoted, headers);
    return path === undefined ? field : `${name}${JSON.stringify(`${base}${path}`)}`;
  });
}

/** Returns the URL by which the client reached the gateway; a proxy's header says whether it used TLS. */
function baseOf({ host, "x-forwarded-proto": forwarded }: Received["headers"]): string | undefined {
  if (host === undefined) return undefined;
  return `${forwarded?.split(",")[0]?.trim() === "https" ? "https" : "http"}://${host}`;
}

/** Returns the path and query of a URL that the gateway passes on. */
function servedPath(quoted: string, headers: Received["headers"]): string | undefined {
  const address = quoted.slice(1, -1).replaceAll("\\/", "/");
  if (!URL.canParse(address)) return undefined;
  const { pathname, search } = new URL(address);
  const version = pathname.lastIndexOf("/v1/");
  const path = version === -1 ? pathname : pathname.slice(version);
  try {
    return findEndpoint("GET", decodeURIComponent(path), headers)?.action === "pass" ? `${path}${search}` : undefined;
  } catch {
    return undefined;
  }
}
