import { LonghaulError } from "@longhaul/conversation";
import { answerHeaders, type Outgoing } from "@longhaul/upstream";
import type { Received } from "../call.ts";
import type { ServeContext } from "../context.ts";
import { fillTemplate } from "../http/endpoints.ts";
import type { Outcome } from "../http/outcome.ts";
import { missingCredential } from "../keys/missing-credential.ts";
import { redactBesides, redactBytes } from "../logging/redact.ts";
import { withReadableSummaries } from "../sealed-summary.ts";
import { isStreamed, readWhole } from "../sending/read-answer.ts";
import { waiting } from "../sending/waiting.ts";
import type { Place, Snapshot } from "../snapshot.ts";
import { peekModel } from "../stages/decode.ts";
import { renamed } from "../stages/encode.ts";
import { resolve } from "../stages/resolve.ts";
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
  const { place, outgoing } = way;
  const missing = missingCredential(received, place.connection.upstream);
  if (missing !== undefined) throw missing;
  note({ attempts: 1, upstream: place.connection.upstream.id, sentAs: outgoing.model });
  const answer = await waiting(note, () => place.connection.send(outgoing, signal));
  const { status, headers, body } = answer;
  if (isCompaction && CANNOT.has(status)) {
    await readWhole(body);
    return await compact(received, context);
  }
  if (status >= 400) {
    const redact = redactBesides(snapshot.redact, received.headers);
    return {
      status,
      headers: answerHeaders(headers),
      body: redactBytes(await readWhole(body), redact),
      isStream: false,
    };
  }
  const isStream = isStreamed(answer, place.connection.upstream, outgoing);
  return { status, headers: answerHeaders(headers), body, isStream };
}

const COMPACT = "/responses/compact";

function readable(received: Received): Received {
  return { ...received, body: withReadableSummaries(received.body) };
}

/** What servers say that have no such path. A 404 may as well be about the model, or about something that they keep. */
const CANNOT = new Set([405, 501]);

interface Way {
  readonly place: Place;
  readonly outgoing: Outgoing;
}

/** To where the model that the request names is routed, else to the first place that speaks the dialect; nothing where none has the path. */
function chooseWay(received: Received, snapshot: Snapshot): Way | undefined {
  const { endpoint, body } = received;
  const { model, inBody } = modelOf(received);
  if (model === undefined) {
    const ways = [...snapshot.places.values()].flat().map((place) => wayTo(place, received, { model: "", body }));
    return ways.find(isServed);
  }
  const targets = resolve({ model, wire: endpoint.wire }, snapshot);
  const ways = targets.map((target) => {
    const named = target.model === model ? body : renamed(body, inBody?.span, target.model);
    return wayTo(target.place, received, { model: target.model, body: named });
  });
  return ways.find(isServed);
}

function modelOf({ endpoint, body }: Received) {
  const inBody = endpoint.model === undefined ? peekModel(body) : undefined;
  return { model: endpoint.model ?? inBody?.model, inBody };
}

function wayTo(place: Place, received: Received, { model, body }: { model: string; body: Uint8Array }): Way {
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
  return { place, outgoing };
}

function pathOf({ endpoint: { passed } }: Received, model: string): string {
  return passed === undefined ? "" : fillTemplate(passed, model);
}

function isServed({ place, outgoing }: Way): boolean {
  const { deployment } = place.connection.upstream;
  return deployment.wires.includes(outgoing.wire) && deployment.path(outgoing) !== undefined;
}

function unserved(received: Received): never {
  refuseUnkept(received);
  const { wire } = received.endpoint;
  const { model = "" } = modelOf(received);
  const who = model === "" ? "no upstream has" : `the model "${model}" is routed to no upstream that has`;
  const kind = KINDS[wire] ?? wire;
  throw new LonghaulError(
    "route.unknown",
    `${who} ${pathOf(received, model)}; configure one of kind ${kind}, and a route to it`,
  );
}

/** The kinds of upstream that have more of a dialect than its model calls. */
const KINDS: Readonly<Record<string, string>> = {
  "anthropic-messages": "anthropic",
  "openai-chat": "openai, openai-compatible or openrouter",
  "openai-responses": "openai",
  gemini: "gemini",
};
