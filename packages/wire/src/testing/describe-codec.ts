import {
  type Conversation,
  fingerprint,
  type JsonValue,
  LonghaulError,
  pureHash,
  type Request,
} from "@longhaul/conversation/advanced";
import { anyConversation, anyMessyConversation } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Codec } from "../codec/codec.ts";
import type { WireEvent } from "../codec/stepper.ts";
import { CODECS } from "../codecs.ts";
import { collectReply, eventsOf } from "../reply/collect.ts";
import { writeSse } from "../reply/sse.ts";
import { anyDamaged, everyDamage } from "./any-damage.ts";
import { anyReply } from "./any-reply.ts";
import type { Format } from "./formats.ts";
import { normalConversation, normalReply, withoutMarks } from "./normal-form.ts";
import { inChunks, runStream } from "./stream.ts";

/** A fixed seed makes the paths the same in every run. */
const ODD_SEED = 15;

/** The test suite for every codec. */
export function describeCodec(format: Format): void {
  const { codec, destination, line, vendor } = format;
  const survives = format.survives(false);

  describe(`${codec.id} as a codec`, () => {
    it("writes an unchanged request back as received", () => {
      fc.assert(
        fc.property(format.anyBody(), (body) => {
          const { body: written, warnings } = codec.encodeRequest(codec.decodeRequest(body, line), destination);
          expect({ written, warnings }).toEqual({ written: body, warnings: [] });
        }),
      );
    });

    it("decodes each message alone as in the request", () => {
      fc.assert(
        fc.property(format.anyBody(), (body) => {
          const entries = body[codec.messagesField];
          const alone = Array.isArray(entries) ? entries.map((entry) => codec.decodeMessage(entry)) : [];
          const written = codec.opensWithSystem ? alone.slice(leadingSystem(alone)) : alone;
          const { messages } = codec.decodeRequest(body, line).conversation;
          if (Array.isArray(entries)) expect(written).toEqual(messages);
        }),
      );
    });

    it("decodes the conversation alone as in the request", () => {
      fc.assert(
        fc.property(format.anyBody(), (body) => {
          expect(codec.decodeConversation(body)).toEqual(codec.decodeRequest(body, line).conversation);
        }),
      );
    });

    it("writes each unchanged message alone as received, and a changed one so that it decodes the same", () => {
      fc.assert(
        fc.property(format.anyBody(), (body) => {
          const { conversation } = codec.decodeRequest(body, line);
          const write = codec.messageWriter(conversation, vendor);
          const listed = body[codec.messagesField];
          if (!Array.isArray(listed)) return;
          const written = listed.slice(listed.length - conversation.messages.length);
          expect(conversation.messages.flatMap(write)).toEqual(written);
          for (const message of conversation.messages) {
            const { native: _, ...changed } = message;
            const read = write(changed).map((entry) => codec.decodeMessage(entry));
            expect(read.map((entry) => fingerprint(entry, pureHash))).toEqual([fingerprint(message, pureHash)]);
          }
        }),
      );
    });

    it("round-trips every conversation except for its documented losses", () => {
      fc.assert(
        fc.property(anyConversation(), (any) => {
          const conversation = format.prepare(any);
          const request = makeRequest(codec, conversation);
          const { body } = codec.encodeRequest(request, destination);
          const read = codec.decodeRequest(JSON.parse(JSON.stringify(body)), line);
          expect(withoutMarks(normalConversation(read.conversation))).toEqual(
            withoutMarks(normalConversation(survives(conversation))),
          );
        }),
      );
    });

    it("accepts every messy conversation or rejects it with a known code", () => {
      fc.assert(
        fc.property(anyMessyConversation(), (conversation) => {
          try {
            const { body } = codec.encodeRequest(makeRequest(codec, conversation), destination);
            codec.decodeRequest(JSON.parse(JSON.stringify(body)), line);
          } catch (error) {
            expect(error).toBeInstanceOf(LonghaulError);
            expect(error).toMatchObject({ code: "request.unsupported" });
          }
        }),
      );
    });

    it("round-trips every reply", () => {
      fc.assert(
        fc.property(anyReply(vendor), (reply) => {
          const body = codec.encodeReply(reply, { createdSeconds: 1_700_000_000 });
          const read = codec.decodeReply(JSON.parse(JSON.stringify(body)));
          expect(normalReply(read)).toEqual(normalReply(format.replySurvives(reply)));
        }),
      );
    });

    it("round-trips every stream with chunks of any size", () => {
      fc.assert(
        fc.property(anyReply(vendor), fc.integer({ min: 1, max: 200 }), (reply, chunkBytes) => {
          const written = runStream(codec.encodeStream, eventsOf(reply), { createdSeconds: 1_700_000_000 });
          const read = runStream(codec.decodeStream, inChunks(written, chunkBytes));
          expect(normalReply(collectReply(read))).toEqual(normalReply(format.replySurvives(reply)));
        }),
      );
    });

    it("sends the same in a stream as in a complete reply", () => {
      fc.assert(
        fc.property(anyReply(vendor), (reply) => {
          const whole = codec.decodeReply(codec.encodeReply(reply));
          const streamed = collectReply(runStream(codec.decodeStream, runStream(codec.encodeStream, eventsOf(reply))));
          expect(normalReply(streamed)).toEqual(normalReply(whole));
        }),
      );
    });

    it("ends a truncated stream with an error and sends nothing after it", () => {
      const events = runStream(codec.decodeStream, []);
      expect(events).toMatchObject([{ type: "error", error: { code: "upstream.broken" } }]);
      const written = runStream(codec.encodeStream, []);
      expect(written.length).toBeGreaterThan(0);
    });

    it("passes on an error inside a stream", () => {
      const error = new LonghaulError("upstream.busy", "Overloaded", { status: 529 });
      const start = { type: "reply-start", id: "r", model: "m" } as const;
      const written = runStream(codec.encodeStream, [start, { type: "error", error }, { type: "ping" }]);
      const read = runStream(codec.decodeStream, written);
      expect(read.at(-1)).toMatchObject({ type: "error", error: { message: "Overloaded", retryable: true } });
      expect(read.filter(({ type }) => type === "error")).toHaveLength(1);
    });

    it("rejects a body that is not a request of the format", () => {
      for (const body of [null, "text", [], 7, { [codec.messagesField]: 7 }, { [codec.messagesField]: [7] }]) {
        expect(() => codec.decodeRequest(body, line)).toThrow(expect.objectContaining({ code: "request.malformed" }));
      }
    });

    it("treats an unreadable reply as an upstream error", () => {
      for (const body of [null, "<html>", format.brokenReply]) {
        expect(() => codec.decodeReply(body)).toThrow(expect.objectContaining({ code: "upstream.broken" }));
      }
    });

    it("round-trips errors: status, message and overflow", () => {
      const overflow = { actualTokens: 204_826, limitTokens: 200_000 };
      const long = codec.encodeError(new LonghaulError("request.too-large", "too long", { overflow }));
      expect(long.status).toBe(400);
      expect(codec.decodeError(long.status, long.body)).toMatchObject({ code: "request.too-large" });
      for (const status of [400, 401, 403, 404, 429, 500, 503, 504]) {
        const { status: sent, body } = codec.encodeError(new LonghaulError("upstream.refused", "No.", { status }));
        expect(codec.decodeError(sent, body)).toMatchObject({ status, message: "No." });
      }
    });

    it("accepts every damaged request or rejects it with a known code", () => {
      fc.assert(
        fc.property(format.anyBody().chain(anyDamaged), (body) => {
          const codes = ["request.malformed", "request.unsupported"];
          refusesWith(codes, () => {
            const request = codec.decodeRequest(body, line);
            for (const { encodeRequest } of CODECS)
              refusesWith(codes, () => JSON.stringify(encodeRequest(request, destination).body));
          });
        }),
        { numRuns: 200 },
      );
    });

    it("accepts a request with any odd value at any path, or rejects it with a known code", () => {
      const [body] = fc.sample(format.anyBody(), { numRuns: 1, seed: ODD_SEED });
      for (const damaged of everyDamage(body ?? {})) {
        refusesWith(["request.malformed", "request.unsupported"], () => {
          const request = codec.decodeRequest(damaged, line);
          for (const { encodeRequest } of CODECS) encodeRequest(request, destination);
        });
      }
    });

    it("accepts a reply or stream with any odd value at any path, or returns upstream.broken", () => {
      for (const reply of fc.sample(anyReply(vendor), { numRuns: 5, seed: ODD_SEED })) {
        for (const damaged of everyDamage(codec.encodeReply(reply))) {
          refusesWith(/^upstream\.|^request\.too-large$/, () => codec.decodeReply(damaged));
        }
        for (const events of everyDamagedStream(runStream(codec.encodeStream, eventsOf(reply)))) {
          const read = runStream(codec.decodeStream, events);
          expect(read.filter(({ type }) => type === "reply-end" || type === "error")).toEqual([read.at(-1)]);
        }
      }
    });

    it("accepts every damaged reply or throws upstream.broken", () => {
      fc.assert(
        fc.property(
          anyReply(vendor).chain((reply) => anyDamaged(codec.encodeReply(reply))),
          (body) => {
            refusesWith(/^upstream\.|^request\.too-large$/, () => {
              for (const { encodeReply } of CODECS) encodeReply(codec.decodeReply(body));
            });
          },
        ),
        { numRuns: 200 },
      );
    });

    it("ends every damaged stream once and never throws", () => {
      const anyStream = anyReply(vendor).chain((reply) => {
        const events = runStream(codec.encodeStream, eventsOf(reply));
        return anyDamaged(events.map(({ data }): JsonValue => (data === "[DONE]" ? data : JSON.parse(data))));
      });
      fc.assert(
        fc.property(anyStream, (damaged) => {
          const events = (Array.isArray(damaged) ? damaged : [damaged]).map((data: JsonValue) => {
            return { data: typeof data === "string" ? data : JSON.stringify(data) };
          });
          const read = runStream(codec.decodeStream, events);
          expect(read.filter(({ type }) => type === "reply-end" || type === "error")).toEqual([read.at(-1)]);
          for (const { encodeStream } of CODECS) runStream(encodeStream, read);
        }),
        { numRuns: 200 },
      );
    });

    it("has markers in every reply, stream end and error, and nowhere else", () => {
      const { reply: replyMarks, end, failure } = codec.markers;
      const has = (text: string, marks: readonly string[]) => marks.some((mark) => text.includes(mark));
      fc.assert(
        fc.property(anyReply(vendor), fc.constantFrom(...replyMarks, ...end, ...failure), (reply, mark) => {
          const emitted = { ...reply, blocks: [...reply.blocks, { type: "text" as const, text: `${mark} {}` }] };
          expect(has(JSON.stringify(codec.encodeReply(reply)), replyMarks)).toBe(true);
          const events = runStream(codec.encodeStream, eventsOf(emitted)).map(writeSse);
          expect(has(events.slice(-4).join(""), end)).toBe(true);
          expect(has(events.join(""), failure)).toBe(false);
        }),
        { numRuns: 200 },
      );
      const error = new LonghaulError("upstream.broken", "No.");
      const failed = runStream(codec.encodeStream, [{ type: "error", error }])
        .map(writeSse)
        .join("");
      expect(has(failed, failure)).toBe(true);
      expect(has(JSON.stringify(codec.encodeError(error).body), replyMarks)).toBe(false);
    });

    it("hides the details of internal errors", () => {
      const { status, body } = codec.encodeError(new LonghaulError("internal.bug", "secret path /home/x"));
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toContain("secret");
    });

    it("creates an error from a body that is not one", () => {
      expect(codec.decodeError(502, "<html>Bad gateway</html>")).toMatchObject({
        code: "upstream.broken",
        status: 502,
        message: "the upstream returned status 502 with an HTML page",
      });
      expect(codec.decodeError(503, undefined)).toMatchObject({ code: "upstream.busy", retryable: true });
    });
  });
}

/** Yields the stream with one event damaged in each way. */
function* everyDamagedStream(events: readonly WireEvent[]): Generator<readonly WireEvent[]> {
  for (const [index, { data }] of events.entries()) {
    if (data === "[DONE]") continue;
    for (const damaged of everyDamage(JSON.parse(data))) yield events.with(index, { data: JSON.stringify(damaged) });
  }
}

/** Runs an action that may only throw a LonghaulError with one of these codes. */
function refusesWith(codes: readonly string[] | RegExp, attempt: () => void): void {
  try {
    attempt();
  } catch (error) {
    const code = error instanceof LonghaulError ? error.code : `${error}`;
    const isExpected = codes instanceof RegExp ? codes.test(code) : codes.includes(code);
    if (!isExpected) throw error;
  }
}

/** Makes a request as if a client of this format had sent it. */
export function makeRequest(codec: Codec, conversation: Conversation, fields: Partial<Request> = {}): Request {
  return {
    model: "model-1",
    stream: false,
    sampling: {},
    conversation,
    native: { wire: codec.id, value: {} },
    ...fields,
  };
}

function leadingSystem(messages: readonly { readonly role: string }[]): number {
  const first = messages.findIndex(({ role }) => role !== "system");
  return first === -1 ? messages.length : first;
}
