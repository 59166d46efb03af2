import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  LonghaulError,
  parseJsonText,
  type Request,
  tryParseJson,
  type WireId,
} from "@longhaul/conversation/advanced";
import { asBuffer } from "@longhaul/upstream";
import { type Codec, codecOf, findField, isShort, parseShort, peekField, type Span } from "@longhaul/wire";
import { finishPaced, makePauses, once } from "../threads/timing.ts";
import { countValues, scanOf } from "./body-bytes.ts";
import type { Call, CallEndpoint, Received } from "./call.ts";
import type { Owner } from "./naming.ts";
import { outlineOf } from "./outline.ts";
import { isSlowToParse, parsePaced } from "./paced-json.ts";
import { findModelField, mentionsReasoning, peekStream } from "./peek-body.ts";
import { withReadableSummaries } from "./sealed-summary.ts";

/** The memory of earlier bodies. */
interface KnownBodies {
  /** Splits a body whose beginning is known, so that its fields are found without searching all of it. */
  splitKnown(body: Uint8Array, codec: Codec): void;
}

/** Reads a call's model and stream. A body of another format than the endpoint's throws `request.malformed`. */
export function decode<Line extends CallEndpoint, By extends Owner>(
  received: Received<Line, By>,
  known?: KnownBodies,
): Call<Line, By> {
  return callOf(open(received, known));
}

/** The same, with pauses for other work if the body is large and must be parsed. */
export async function decodePaced<Line extends CallEndpoint, By extends Owner>(
  received: Received<Line, By>,
  known?: KnownBodies,
): Promise<Call<Line, By>> {
  const opened = open(received, known);
  const { body, codec, model, stream } = opened;
  const isSure = model !== undefined && stream() !== undefined;
  if (isSure || !isSlowToParse(body, codec.messagesField)) return callOf(opened);
  return callOf(opened, asObject(await parsePaced(body)));
}

/** The parts of a call that its bytes show without parsing. */
interface Opened<Line extends CallEndpoint, By extends Owner> {
  readonly received: Received<Line, By>;
  readonly codec: Codec;
  readonly body: Uint8Array;
  readonly span: () => Span | undefined;
  readonly model: string | undefined;
  /** Whether it asks for a stream; undefined if only a parser can find out. */
  readonly stream: () => boolean | undefined;
}

function open<Line extends CallEndpoint, By extends Owner>(
  received: Received<Line, By>,
  known: KnownBodies | undefined,
): Opened<Line, By> {
  const { endpoint, body: original } = received;
  const scan = scanOf(original);
  const codec = scan === undefined ? codecFor(endpoint.wire, original) : codecOf(scan.wire);
  const body = scan === undefined ? readable(original, codec) : (scan.readable ?? original);
  if (scan === undefined) known?.splitKnown(body, codec);
  const span = once(() => (endpoint.model === undefined ? findModelField(body, codec.messagesField) : undefined));
  const stream = once(() => endpoint.stream ?? peekStream(body, codec.messagesField));
  return { received, codec, body, span, stream, model: endpoint.model ?? readModel(body, span()) };
}

/** Makes our sealed summaries in a body readable, in formats that have them. */
export function readable(body: Uint8Array, { traits }: Codec): Uint8Array {
  return traits.compaction === "item" ? withReadableSummaries(body) : body;
}

function callOf<Line extends CallEndpoint, By extends Owner>(
  { received, codec, body, span, stream, model }: Opened<Line, By>,
  given?: JsonObject,
): Call<Line, By> {
  const { id, caller, headers, query, endpoint } = received;
  let parsed = given;
  const value = () => {
    parsed ??= parseBody(body, codec);
    return parsed;
  };
  let decoded: Request | undefined;
  const request = once(() => decoded ?? codec.decodeRequest(value(), { ...endpoint }));
  const outlined = once(() => (parsed === undefined ? outlineOf(body) : undefined));
  const outlineValue = () => outlined()?.value ?? value();
  return {
    id,
    caller,
    endpoint,
    headers,
    query,
    body,
    codec,
    model: model ?? modelOf(outlineValue()),
    wantsStream: once(() => stream() ?? outlineValue().stream === true),
    modelSpan: span,
    prepare: async () => {
      const pauses = makePauses();
      if (decoded !== undefined || !isSlowToParse(body, codec.messagesField)) return;
      parsed ??= asObject(await parsePaced(body, pauses));
      decoded = await finishPaced(codec.decodeSteps(parsed, { ...endpoint }), pauses);
    },
    value,
    outlineValue,
    request,
    wholeRequest: request,
    outline: once(() => {
      const outline = outlined();
      return outline && { ...outline, request: codec.decodeRequest(outline.value, { ...endpoint }) };
    }),
  };
}

/** Returns whether a call's body will be parsed for these destinations, so that it is better done with pauses. */
export function mustParse(call: Call, destinations: readonly { readonly wire: WireId }[]): boolean {
  const { codec, body } = call;
  const isTranslated = destinations.some(({ wire }) => wire !== codec.id);
  if (codec.traits.references !== undefined || isTranslated) return call.outline() === undefined;
  // This search takes time, too, and only pays off for bodies that take far longer to parse.
  if (body.length < LARGE_BYTES) return false;
  return asBuffer(body).includes('"context_management"') || mentionsReasoning(body, codec);
}

const LARGE_BYTES = 8 * 1024 * 1024;

/** Cursor sends bodies in the Responses format to the chat endpoint and expects chat answers. */
export function codecFor(wire: WireId, body: Uint8Array): Codec {
  const codec = codecOf(wire);
  const { sibling } = codec.traits;
  if (sibling === undefined) return codec;
  const other = codecOf(sibling.wire);
  return peekField(body, other.messagesField, codec.messagesField) === undefined ? codec : other;
}

/** Returns the model in the body of any format, without reading further; undefined if it is not a JSON object or has none. */
export function peekModel(body: Uint8Array): { readonly model: string; readonly span: Span } | undefined {
  const span = findModelField(body, "");
  const model = readModel(body, span);
  return span === undefined || model === undefined ? undefined : { model, span };
}

/** Returns the further models that a body names in a list `models`, among which OpenRouter chooses. */
export function peekModels(body: Uint8Array): readonly string[] {
  const span = findField(body, "models");
  const models = span && tryParseJson(textOf(body.subarray(span.from, span.to)));
  return models !== undefined && isJsonArray(models) ? models.filter((model) => typeof model === "string") : [];
}

function readModel(body: Uint8Array, span: Span | undefined): string | undefined {
  const model = span && tryParseJson(textOf(body.subarray(span.from, span.to)));
  return typeof model === "string" && model !== "" ? model : undefined;
}

function parseBody(body: Uint8Array, { messagesField }: Codec): JsonObject {
  if (!isShort(body)) countValues(body, messagesField);
  let value: unknown;
  try {
    value = isShort(body) ? parseShort(body) : parseJsonText(textOf(body));
  } catch (cause) {
    if (cause instanceof LonghaulError) throw cause;
    throw new LonghaulError(
      "request.malformed",
      `the body is not valid JSON: ${cause instanceof Error ? withoutExcerpt(cause.message) : ""}`,
      { cause },
    );
  }
  return asObject(value);
}

function asObject(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new LonghaulError("request.malformed", "the body must be a JSON object");
}

/** V8 quotes the text around the error, which may be a secret. */
function withoutExcerpt(message: string): string {
  return message.replace(/, (?:\.\.\.)?".*$/s, "");
}

function modelOf({ model }: JsonObject): string {
  if (typeof model === "string" && model !== "") return model;
  throw new LonghaulError(
    "request.malformed",
    "model: must be a non-empty string; list the models with GET /v1/models",
  );
}

const utf8 = new TextDecoder();

function textOf(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
