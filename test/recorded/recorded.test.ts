import { type JsonObject, LonghaulError, promptTokens, type Reply, type StreamEvent } from "@longhaul/conversation";
import { CODECS, type Codec, codecOf, collectReply, eventsOf, writeSse } from "@longhaul/wire";
import { readEvents, respellReply, runStream, SPELLINGS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Expected, type Frame, type Recording, readRecordings, spellFrames } from "./recording.ts";

const RECORDINGS = readRecordings();
const STREAMS = RECORDINGS.filter(hasStream).map((recording) => [recording.name, recording] as const);
const WHOLES = RECORDINGS.filter(hasWhole).map((recording) => [recording.name, recording] as const);

describe.each(STREAMS)("%s, streamed,", (_, { wire, stream, expected }) => {
  const codec = codecOf(wire);

  it("is read right, however its bytes are cut and its empty fields are spelled", () => {
    fc.assert(
      fc.property(anyCuts(), anySpelling(), (cuts, spelling) => {
        const frames = spelling === "as recorded" ? stream : stream.map((frame) => respellFrame(frame, wire, spelling));
        expect(outcomeOf(decode(codec, cut(spellFrames(frames), cuts)))).toEqual(outcomeExpected(expected));
      }),
      { numRuns: 20 },
    );
  });

  it.each(CODECS.map((client) => [client.id, client] as const))("reaches a client of %s right", (_id, client) => {
    fc.assert(
      fc.property(anyCuts(), (cuts) => {
        const events = decode(codec, cut(spellFrames(stream), cuts));
        const written = runStream(client.encodeStream, events).map(writeSse).join("");
        expect(seenBy(decode(client, cut(written, cuts)))).toEqual(expectedBy(client, expected));
      }),
      { numRuns: 5 },
    );
  });
});

describe.each(WHOLES)("%s, whole,", (_, { wire, whole, expected }) => {
  const codec = codecOf(wire);

  it.each(["as recorded", ...SPELLINGS] as const)("is read right, its empty fields %s", (spelling) => {
    const body = spelling === "as recorded" ? whole : respellReply(whole, wire, spelling);
    expect(outcomeOf(eventsIn(() => codec.decodeReply(body)))).toEqual(outcomeExpected(expected));
  });

  it.each(CODECS.map((client) => [client.id, client] as const))("reaches a client of %s right", (_id, client) => {
    const events = eventsIn(() => {
      const { native: _native, ...reply } = codec.decodeReply(whole);
      return client.decodeReply(JSON.parse(JSON.stringify(client.encodeReply(reply))));
    });
    expect(seenBy(events)).toEqual(expectedBy(client, expected));
  });
});

function hasStream(recording: Recording): recording is Recording & { stream: readonly Frame[] } {
  return recording.stream !== undefined;
}

function hasWhole(recording: Recording): recording is Recording & { whole: JsonObject } {
  return recording.whole !== undefined;
}

function anySpelling() {
  return fc.constantFrom("as recorded", ...SPELLINGS);
}

/** Sizes of the pieces in bytes; the last size repeats. */
function anyCuts(): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 });
}

function cut(text: string, cuts: readonly number[]): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const pieces: Uint8Array[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const length = cuts[Math.min(turn, cuts.length - 1)] ?? bytes.length;
    pieces.push(bytes.subarray(from, from + length));
    from += length;
  }
  return pieces;
}

function decode(codec: Codec, pieces: readonly Uint8Array[]): readonly StreamEvent[] {
  return runStream(codec.decodeStream, readEvents(pieces));
}

function respellFrame(frame: Frame, wire: string, spelling: (typeof SPELLINGS)[number]): Frame {
  if ("comment" in frame || frame.data === "[DONE]") return frame;
  return { ...frame, data: JSON.stringify(respellReply(JSON.parse(frame.data), wire, spelling)) };
}

/** The events of a reply, or the error that reading it gives. */
function eventsIn(read: () => Reply): readonly StreamEvent[] {
  try {
    return eventsOf(read());
  } catch (error) {
    if (error instanceof LonghaulError) return [{ type: "error", error }];
    throw error;
  }
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

/** Formats that have arguments with names only. */
const NAMED_ARGUMENTS = new Set(["anthropic-messages", "gemini"]);

/** Reasons that every format can say. */
const SHARED_STOPS = new Set(["end", "length", "tool-calls", "refusal"]);

/** Returns the outcome as a client of a format sees it: texts may be split differently, and not every stop reason or error exists. */
function seenBy(events: readonly StreamEvent[]): Expected {
  return limited(outcomeOf(events));
}

function expectedBy(client: Codec, expected: Expected): Expected {
  const { freeText = [], calls = [] } = expected;
  const spelled = freeText.map(([name, input]): [string, JsonObject | string] => {
    return [name, NAMED_ARGUMENTS.has(client.id) ? { input } : input];
  });
  return limited(outcomeExpected({ ...expected, freeText: [], calls: [...calls, ...spelled] }));
}

function limited({ texts: _, ...outcome }: Expected): Expected {
  const { stop, error } = outcome;
  if (error !== undefined) return { error: 500 };
  return { ...outcome, ...(stop !== undefined && { stop: SHARED_STOPS.has(stop) ? stop : "end" }) };
}
