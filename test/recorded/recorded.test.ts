import {
  type JsonObject,
  LonghaulError,
  promptTokens,
  type Reply,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import { CODECS, type Codec, codecOf, collectReply, eventsOf, writeSse } from "@longhaul/wire";
import { readEvents, runStream } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Expected, type Frame, type Recording, readRecordings } from "./recording.ts";
import { AS_RECORDED, anyVariant, cut, piecesOf, REPLY_STYLES, UNIFORM_VARIANTS, withStyle } from "./variant.ts";

const RECORDINGS = readRecordings();
const STREAMS = RECORDINGS.filter(hasStream).map((recording) => [recording.name, recording] as const);
const WHOLES = RECORDINGS.filter(hasWhole).map((recording) => [recording.name, recording] as const);
const CLIENTS = CODECS.map((client) => [client.id, client] as const);

describe.each(STREAMS)("%s, streamed,", (_, { wire, stream, expected }) => {
  const codec = codecOf(wire);
  const plain = decode(codec, piecesOf(stream, wire, AS_RECORDED));

  it("is decoded correctly with chunks of any size and any style of empty fields", () => {
    fc.assert(
      fc.property(anyVariant(), (variant) => {
        const events = decode(codec, piecesOf(stream, wire, variant));
        expect(outcomeOf(events)).toEqual(outcomeExpected(expected));
        expect(blockTypesOf(events)).toEqual(blockTypesOf(plain));
      }),
      { numRuns: 20, examples: UNIFORM_VARIANTS },
    );
  });

  it.each(CLIENTS)("reaches a client of %s correctly with any chunks and empty fields", (_id, client) => {
    const writtenPlainly = write(client, plain);
    fc.assert(
      fc.property(anyVariant(), (variant) => {
        const written = write(client, decode(codec, piecesOf(stream, wire, variant)));
        expect(seenBy(decode(client, cut(written, variant.cuts)))).toEqual(expectedBy(client, expected));
        // A stream keeps its empty fields for clients of the same format.
        if (client !== codec) expect(written).toBe(writtenPlainly);
      }),
      { numRuns: 8, examples: UNIFORM_VARIANTS },
    );
  });
});

describe.each(WHOLES)("%s, not streamed,", (_, { wire, whole, expected }) => {
  const codec = codecOf(wire);

  describe.each(REPLY_STYLES)("its empty fields %s,", (style) => {
    const body = withStyle(whole, wire, style);

    it("is decoded correctly", () => {
      expect(outcomeOf(eventsIn(() => codec.decodeReply(body)))).toEqual(outcomeExpected(expected));
    });

    it.each(CLIENTS)("reaches a client of %s correctly", (_id, client) => {
      const seen = seenBy(eventsIn(() => client.decodeReply(translated(body, codec, client))));
      expect(seen).toEqual(expectedBy(client, expected));
      if (client === codec || expected.error !== undefined) return;
      expect(translated(body, codec, client)).toEqual(translated(whole, codec, client));
    });
  });
});

function hasStream(recording: Recording): recording is Recording & { stream: readonly Frame[] } {
  return recording.stream !== undefined;
}

function hasWhole(recording: Recording): recording is Recording & { whole: JsonObject } {
  return recording.whole !== undefined;
}

function decode(codec: Codec, pieces: readonly Uint8Array[]): readonly StreamEvent[] {
  return runStream(codec.decodeStream, readEvents(pieces));
}

function write(client: Codec, events: readonly StreamEvent[]): string {
  return runStream(client.encodeStream, events).map(writeSse).join("");
}

/** Returns a complete reply as encoded for a client of another format. */
function translated(body: JsonObject, codec: Codec, client: Codec): unknown {
  const { native: _native, ...reply } = codec.decodeReply(body);
  return JSON.parse(JSON.stringify(client.encodeReply(reply)));
}

/** Returns the events of a reply, or its decoding error. */
function eventsIn(read: () => Reply): readonly StreamEvent[] {
  try {
    return eventsOf(read());
  } catch (error) {
    if (error instanceof LonghaulError) return [{ type: "error", error }];
    throw error;
  }
}

function blockTypesOf(events: readonly StreamEvent[]): readonly string[] {
  if (events.some(({ type }) => type === "error")) return [];
  return collectReply(events).blocks.map(({ type }) => type);
}

/** Returns the content of a reply, and the number of its text blocks. */
function outcomeOf(events: readonly StreamEvent[]): Expected {
  const failure = events.find((event) => event.type === "error");
  if (failure !== undefined) return { error: failure.error.status };
  const { blocks, stopReason, usage } = collectReply(events);
  const texts = blocks.filter((block) => block.type === "text");
  const calls = blocks.filter((block) => block.type === "tool-call");
  return {
    text: texts.map(({ text }) => text).join(""),
    texts: texts.length,
    thinking: blocks.map((block) => (block.type === "thinking" ? block.text : "")).join(""),
    calls: calls.map(({ name, input }) => [name, input]),
    stop: stopReason,
    usage: [promptTokens(usage), usage.cacheReadTokens, usage.outputTokens],
  };
}

function outcomeExpected({ error, text = "", texts, thinking = "", ...rest }: Expected): Expected {
  if (error !== undefined) return { error };
  const { calls = [], freeText = [], stop = "end", usage = [0, 0, 0] } = rest;
  return { text, texts: texts ?? (text === "" ? 0 : 1), thinking, calls: [...calls, ...freeText], stop, usage };
}

/** Formats that only have named arguments. */
const NAMED_ARGUMENTS = new Set(["anthropic-messages", "gemini"]);

/** Stop reasons that every format has. */
const SHARED_STOPS = new Set(["end", "length", "tool-calls", "refusal"]);

/** Returns the outcome as a client of a format sees it: texts may be split differently, and not every stop reason or error exists. */
function seenBy(events: readonly StreamEvent[]): Expected {
  return limited(outcomeOf(events));
}

function expectedBy(client: Codec, expected: Expected): Expected {
  const { freeText = [], calls = [] } = expected;
  const parsed = freeText.map(([name, input]): [string, JsonObject | string] => {
    return [name, NAMED_ARGUMENTS.has(client.id) ? { input } : input];
  });
  return limited(outcomeExpected({ ...expected, freeText: [], calls: [...calls, ...parsed] }));
}

function limited({ texts: _, ...outcome }: Expected): Expected {
  const { stop, error } = outcome;
  if (error !== undefined) return { error: 500 };
  return { ...outcome, ...(stop !== undefined && { stop: SHARED_STOPS.has(stop) ? stop : "end" }) };
}
