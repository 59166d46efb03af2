import { LonghaulError } from "@longhaul/conversation";
import { peekModel, type UpstreamHandle, withReadableSummaries } from "@longhaul/fit";
import type { ModelMatch } from "@longhaul/models";
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
} from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { Received } from "../call.ts";
import type { Snapshot } from "../configuration/snapshot.ts";
import type { ServeContext } from "../context.ts";
import { fillTemplate } from "../http/endpoints.ts";
import { withGatewayUrls } from "../http/gateway-urls.ts";
import { jsonTextOutcome, type Outcome } from "../http/outcome.ts";
import { missingCredential } from "../keys/missing-credential.ts";
import { sharedPath, sharedReference } from "../keys/shared-state.ts";
import { hideAddresses, redactBesides, redactBytes } from "../logging/redact.ts";
import type { Note, Notes } from "../record.ts";
import { waiting } from "../sending/waiting.ts";
import { renamed } from "../stages/encode.ts";
import { passOn } from "../stages/pass-on.ts";
import { keepsResponses } from "../stages/recall.ts";
import { resolve } from "../stages/resolve.ts";
import { translateError } from "../stages/translate-error.ts";
import { compact } from "./compact.ts";
import { answerKept, refuseUnkept } from "./kept-response.ts";

/**
 * Passes a request on as it came, and the answer as it comes. It is tried once, at one place: what it asks for (a file, a batch) may exist
 * there alone, and doing it twice may not be the same as doing it once.
 */
export async function pass(received: Received, context: ServeContext): Promise<Outcome> {
  const kept = answerKept(received, context);
  if (kept !== undefined) return kept;
  const { snapshot, signal, note } = context;
  const isCompaction = received.endpoint.passed?.template === COMPACT;
  const way = chooseWay(isCompaction ? readable(received) : received, snapshot);
  if (way === undefined) return isCompaction ? await compact(received, context) : unserved(received);
  const { handle, outgoing } = way;
  const { upstream } = handle.connection;
  const refused = missingCredential(received, upstream) ?? refuseShared(received, way, context);
  if (refused !== undefined) throw refused;
  note({ attempts: 1, upstream: upstream.id, ...notesOf(way) });
  const answer = await waiting(note, () => handle.connection.send(outgoing, signal));
  if (isCompaction && CANNOT.has(answer.status)) {
    await readWhole(answer.body);
    return await compact(received, context);
  }
  if (answer.status >= 400) return await refusalOf(answer, { received, upstream }, context);
  const isStream = isStreamed(answer, upstream, outgoing);
  return await answerOf({ ...answer, isStream }, received, note);
}

function refuseShared(received: Received, { handle }: Way, { snapshot, memory }: ServeContext) {
  const use = { call: received, upstream: handle.connection.upstream, server: snapshot.config.server };
  const refused = sharedPath(use);
  if (refused !== undefined || !keepsResponses(received.endpoint.wire)) return refused;
  return sharedReference(use, (id) => memory.responses.owns(received.caller.credential, id));
}

function notesOf({ outgoing, asked, match }: Way): Notes {
  return { sentAs: outgoing.model, ...(asked !== undefined && { model: asked }), ...(match && { served: match }) };
}

/** An answer's request, and who gave it. */
interface Asked {
  readonly received: Received;
  readonly upstream: Upstream;
}

/** Gives an upstream's error on, in its own bytes if they are data. */
async function refusalOf(answer: Incoming, { received, upstream }: Asked, context: ServeContext): Promise<Outcome> {
  const { snapshot, note } = context;
  const { wire } = received.endpoint;
  const redact = redactBesides(snapshot.redact, received.headers);
  const hide = (text: string) => hideAddresses(redact(text), upstream.baseUrl);
  const { status, headers } = answer;
  const { error, body } = await readRefusal(answer, codecOf(wire));
  note({ error });
  if (body === undefined || mediaKind(headers["content-type"]) !== "data") {
    const outcome = translateError(wire, error, hide);
    return { ...outcome, headers: { ...answerHeaders(headers), ...outcome.headers } };
  }
  return { status, headers: answerHeaders(headers), body: redactBytes(body, hide), isStream: false };
}

/** Gives an answer on as it comes. The usage that a model call reports counts as the request's cost. */
async function answerOf(
  answer: Incoming & { readonly isStream: boolean },
  received: Received,
  note: Note,
): Promise<Outcome> {
  const { endpoint } = received;
  const { status, headers, body, isStream } = answer;
  const { template = "", isStateful = false, isFile = false } = endpoint.passed ?? {};
  // Images and audio report their usage as the Responses API does.
  const codec = codecOf(/^\/(?:images|audio)\//.test(template) ? "openai-responses" : endpoint.wire);
  // Only replies have a last event that is known here.
  if (isStream) return passOn({ status, headers, body, isStream, onEnd: () => {}, isReply: false }, codec, note);
  const isJson = /\bjson\b/.test(headers["content-type"] ?? "");
  if (isStateful && isJson && !isFile) {
    const json = (await readWhole(body)).toString("utf8");
    return jsonTextOutcome(withGatewayUrls(json, received.headers), status, answerHeaders(headers));
  }
  if (!isJson || isStateful) return { status, headers: answerHeaders(headers), body, isStream };
  return passOn({ status, headers, body: await readWhole(body), isStream }, codec, note);
}

const COMPACT = "/responses/compact";

function readable(received: Received): Received {
  return { ...received, body: withReadableSummaries(received.body) };
}

/** What servers say that have no such path. A 404 may as well be about the model, or about something that they keep. */
const CANNOT = new Set([405, 501]);

interface Way {
  readonly handle: UpstreamHandle;
  readonly outgoing: Outgoing;
  /** The model as the client named it. */
  readonly asked?: string;
  readonly match?: ModelMatch;
}

/** To where the model that the request names is routed, else to the first place that speaks the dialect; nothing where none has the path. */
function chooseWay(received: Received, snapshot: Snapshot): Way | undefined {
  const { endpoint, body } = received;
  const { model, inBody } = modelOf(received);
  if (model === undefined) {
    const ways = [...snapshot.handles.values()].flat().map((handle) => wayTo(handle, received, { model: "", body }));
    return ways.find(isServed);
  }
  const destinations = resolve({ model, wire: endpoint.wire }, snapshot);
  const ways = destinations.map((destination) => {
    const named = destination.model === model ? body : renamed(body, inBody?.span, destination.model);
    const way = wayTo(destination.handle, received, { model: destination.model, body: named });
    return { ...way, asked: model, match: destination.match };
  });
  return ways.find(isServed);
}

function modelOf({ endpoint, body }: Received) {
  const inBody = endpoint.model === undefined ? peekModel(body) : undefined;
  return { model: endpoint.model ?? inBody?.model, inBody };
}

function wayTo(handle: UpstreamHandle, received: Received, { model, body }: { model: string; body: Uint8Array }): Way {
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

function isServed({ handle, outgoing }: Way): boolean {
  const { deployment } = handle.connection.upstream;
  return deployment.wires.includes(outgoing.wire) && deployment.path(outgoing) !== undefined;
}

function unserved(received: Received): never {
  refuseUnkept(received);
  const { wire } = received.endpoint;
  const { model = "" } = modelOf(received);
  const who = model === "" ? "no upstream has" : `the model "${model}" is routed to no upstream that has`;
  const kind = OR.format(kindsPassing(wire));
  throw new LonghaulError(
    "route.unknown",
    `${who} ${pathOf(received, model)}; configure one of kind ${kind}, and a route to it`,
  );
}

const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });
