import {
  fingerprint,
  isJsonObject,
  type JsonValue,
  LonghaulError,
  pureHash,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import { makeRoughCounter } from "@longhaul/models";
import { CODECS, type Codec, collectReply, eventsOf, type WireEvent, writeSse } from "@longhaul/wire";
import { FORMATS, type Format, readEvents, runStream } from "@longhaul/wire/testing";
import fc from "fast-check";
import { anyReply } from "../../../packages/wire/src/testing/any-reply.ts";
import { anyCuts, cutBytes, encodedJson, makeCorpus, mutatedText, mutatedValue } from "../mutate.ts";
import { allowing, claim, claimSame, claimUsage, type FuzzTarget, openTarget } from "../target.ts";

const REFUSED = /^request\.(?:malformed|unsupported)$/;
const BROKEN = /^upstream\.|^request\.too-large$/;
const counter = makeRoughCounter();

/** Readers of requests, replies, streams and errors, for each wire format. */
export const WIRE_TARGETS: readonly FuzzTarget[] = FORMATS.flatMap((format) => [
  { name: `request:${format.codec.id}`, weight: 5, open: (seed) => openRequests(format, seed) },
  { name: `reply:${format.codec.id}`, weight: 2, open: (seed) => openReplies(format, seed) },
  { name: `stream:${format.codec.id}`, weight: 3, open: (seed) => openStreams(format, seed) },
  { name: `error:${format.codec.id}`, weight: 1, open: (seed) => openErrors(format, seed) },
]);

/** A request is decoded or rejected with a known code; a decoded one can be counted, compared and encoded for every upstream. */
function openRequests({ codec, destination, line, anyBody }: Format, seed: number) {
  const corpus = makeCorpus(fc.sample(anyBody(), { seed, numRuns: 120 }));
  return openTarget<{ body: JsonValue; to: number }>({
    make: (random) => ({ body: mutatedValue(random, corpus), to: random.below(CODECS.length) }),
    check: ({ body, to }) => {
      const request = allowing(REFUSED, () => codec.decodeRequest(body, line));
      if (request === undefined) return;
      const tokens = counter.countConversation(request.conversation);
      claim(Number.isFinite(tokens) && tokens >= 0, `a token count is a number, not ${tokens}`);
      for (const message of request.conversation.messages) fingerprint(message, pureHash);
      const encoded = allowing(REFUSED, () => codecAt(to).encodeRequest(request, destination));
      JSON.stringify(encoded?.body);
    },
  });
}

/** A reply is decoded or rejected as broken; a decoded one can be encoded for every client. */
function openReplies({ codec, vendor }: Format, seed: number) {
  const replies = fc.sample(anyReply(vendor), { seed, numRuns: 120 });
  const corpus = makeCorpus(replies.map((reply) => codec.encodeReply(reply)));
  return openTarget<{ body: JsonValue; to: number }>({
    make: (random) => ({ body: mutatedValue(random, corpus), to: random.below(CODECS.length) }),
    check: ({ body, to }) => {
      const reply = allowing(BROKEN, () => codec.decodeReply(body));
      if (reply === undefined) return;
      claimUsage(reply.usage);
      JSON.stringify(codecAt(to).encodeReply(reply));
    },
  });
}

interface CutStream {
  readonly [key: string]: string | number[] | number;
  readonly text: string;
  readonly cuts: number[];
  readonly to: number;
}

/** A stream never throws, ends once, is the same with chunks of any size, and can be encoded for every client. */
function openStreams({ codec, vendor }: Format, seed: number) {
  const streams = fc.sample(anyReply(vendor), { seed, numRuns: 80 }).map((reply) => {
    return runStream(codec.encodeStream, eventsOf(reply)).map(({ event, data }): JsonValue => {
      return { ...(event !== undefined && { event }), data: data === "[DONE]" ? data : JSON.parse(data) };
    });
  });
  const corpus = makeCorpus(streams);
  return openTarget<CutStream>({
    make: (random) => {
      const damaged = mutatedValue(random, corpus);
      const events = (Array.isArray(damaged) ? damaged : [damaged]).map((event) =>
        eventOf(event, (data) => encodedJson(data, random)),
      );
      const text = events.map(writeSse).join("");
      const sent = random.chance(20) ? mutatedText(text, random) : text;
      return { text: sent, cuts: anyCuts(Buffer.byteLength(sent), random), to: random.below(CODECS.length) };
    },
    check: ({ text, cuts, to }) => {
      const bytes = Buffer.from(text);
      const whole = runStream(codec.decodeStream, readEvents([bytes]));
      claimSame(runStream(codec.decodeStream, readEvents(cutBytes(bytes, cuts))), whole, "cuts change nothing");
      claimEndsOnce(whole);
      runStream(codecAt(to).encodeStream, whole);
      allowing(BROKEN, () => collectReply(whole));
    },
  });
}

function eventOf(value: JsonValue, encode: (data: JsonValue) => string): WireEvent {
  const { event, data = null } = isJsonObject(value) ? value : { data: value };
  const text = typeof data === "string" ? data : encode(data);
  return typeof event === "string" ? { event: event.replaceAll(/[\r\n]/g, ""), data: text } : { data: text };
}

function claimEndsOnce(events: readonly StreamEvent[]): void {
  const ends = events.filter(({ type }) => type === "reply-end" || type === "error");
  claim(ends.length === 1 && ends[0] === events.at(-1), "a stream ends once, at its end");
}

/** Any error body becomes an error with a known code, which every format can encode. */
function openErrors({ codec }: Format, seed: number) {
  const overflow = { actualTokens: 204_826, limitTokens: 200_000 };
  const errors = [
    new LonghaulError("request.too-large", "too long", { overflow }),
    new LonghaulError("upstream.busy", "Overloaded", { status: 529, retryAfterMs: 1_000 }),
    new LonghaulError("upstream.refused", "No.", { status: 422, param: "messages.0" }),
    new LonghaulError("limit.exceeded", "slow down"),
  ];
  const corpus = makeCorpus([
    ...errors.map((error): JsonValue => codec.encodeError(error).body),
    "<html>",
    ...texts(seed),
  ]);
  return openTarget<{ status: number; body: JsonValue; to: number }>({
    make: (random) => ({
      status: random.pick([400, 401, 403, 404, 413, 422, 429, 500, 502, 503, 529, 599]),
      body: mutatedValue(random, corpus),
      to: random.below(CODECS.length),
    }),
    check: ({ status, body, to }) => {
      const error = codec.decodeError(status, body);
      claim(
        error instanceof LonghaulError && error.code !== "internal.bug",
        "an upstream's error is never an internal error",
      );
      const written = codecAt(to).encodeError(error);
      claim(written.status >= 400 && written.status < 600, `an error has an error status, not ${written.status}`);
      JSON.stringify(written.body);
    },
  });
}

function texts(seed: number): JsonValue[] {
  const numbers = fc.sample(fc.tuple(fc.nat(), fc.nat()), { seed, numRuns: 10 });
  return numbers.flatMap(([actual, limit]) => [
    `prompt is too long: ${actual} tokens > ${limit} maximum`,
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${actual} tokens.`,
    `The input token count (${actual}) exceeds the maximum number of tokens allowed (${limit}).`,
  ]);
}

function codecAt(index: number): Codec {
  return CODECS[index % CODECS.length]!;
}
