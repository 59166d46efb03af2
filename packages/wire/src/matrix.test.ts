import {
  type Block,
  type Conversation,
  type JsonValue,
  LonghaulError,
  type Reply,
} from "@longhaul/conversation/advanced";
import { anyConversation, makeText, makeToolCall, makeUsage } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectReply, eventsOf } from "./reply/collect.ts";
import { anyReply } from "./testing/any-reply.ts";
import { makeRequest } from "./testing/describe-codec.ts";
import { FORMATS, type Format } from "./testing/formats.ts";
import { withoutRefused } from "./testing/losses.ts";
import { normalConversation, normalReply, withoutMarks } from "./testing/normal-form.ts";
import { inChunks, runStream } from "./testing/stream.ts";

/** Every client format with every upstream format. */
const PAIRS = FORMATS.flatMap((client) =>
  FORMATS.map((upstream) => ({ client, upstream, name: nameOf(client, upstream) })),
);

function nameOf(client: Format, upstream: Format): string {
  return `a client of ${client.codec.id} and an upstream of ${upstream.codec.id}`;
}

describe.each(PAIRS)("$name", ({ client, upstream }) => {
  const isForeign = client !== upstream;

  it("agree on every conversation except for the documented losses of both formats", () => {
    const prepare = withoutRefused((block) => isForeignFile(block) || client.refuses(block) || upstream.refuses(block));
    fc.assert(
      fc.property(anyConversation(), (any) => {
        const conversation = prepare(any);
        const written = client.codec.encodeRequest(makeRequest(client.codec, conversation), client.destination);
        const request = client.codec.decodeRequest(copyOf(written.body), client.line);
        const sent = upstream.codec.encodeRequest(request, upstream.destination);
        const read = upstream.codec.decodeRequest(copyOf(sent.body), upstream.line);
        const expected = upstream.survives(isForeign)(client.survives(false)(conversation));
        expect(plain(read.conversation)).toEqual(plain(expected));
      }),
      { numRuns: 40 },
    );
  });

  it("agree on every reply", () => {
    fc.assert(
      fc.property(anyReply(upstream.vendor), (reply) => {
        const answered = upstream.codec.decodeReply(copyOf(upstream.codec.encodeReply(reply)));
        const read = client.codec.decodeReply(copyOf(client.codec.encodeReply(answered)));
        expect(anonymous(read)).toEqual(anonymous(client.replySurvives(upstream.replySurvives(reply))));
      }),
      { numRuns: 60 },
    );
  });

  it("agree on every stream with chunks of any size", () => {
    fc.assert(
      fc.property(anyReply(upstream.vendor), fc.integer({ min: 1, max: 99 }), (reply, chunkBytes) => {
        const sent = inChunks(runStream(upstream.codec.encodeStream, eventsOf(reply)), chunkBytes);
        const events = runStream(upstream.codec.decodeStream, sent);
        const written = inChunks(runStream(client.codec.encodeStream, events), chunkBytes);
        const read = collectReply(runStream(client.codec.decodeStream, written));
        expect(anonymous(read)).toEqual(anonymous(client.replySurvives(upstream.replySurvives(reply))));
      }),
      { numRuns: 60 },
    );
  });

  it("return the upstream's signatures to it through the client", () => {
    const reply = makeSignedReply(upstream);
    const body = client.codec.encodeReply(upstream.codec.decodeReply(copyOf(upstream.codec.encodeReply(reply))));
    const history = [...client.echo(body), ...resultFor(client)];
    const request = client.codec.decodeRequest(copyOf(client.bodyOf([...userSays(client), ...history])), client.line);
    const destination = { ...upstream.destination, signedCalls: true, thinkingField: "reasoning_details" as const };
    const { body: sent } = upstream.codec.encodeRequest(request, destination);
    expect(signaturesIn(sent)).toEqual(["U0lHTkFUVVJF"]);
  });

  it("never send the upstream another vendor's signature", () => {
    const { thinkingField: _, ...destination } = upstream.destination;
    const ownDestination = { ...destination, vendor: upstream.vendor };
    for (const maker of FORMATS.filter(({ vendor }) => vendor !== upstream.vendor)) {
      const reply = makeSignedReply(maker);
      const history = [...client.echo(client.codec.encodeReply(reply)), ...resultFor(client)];
      const request = client.codec.decodeRequest(copyOf(client.bodyOf([...userSays(client), ...history])), client.line);
      const { body } = upstream.codec.encodeRequest(request, { ...ownDestination, signedCalls: true });
      expect(JSON.stringify(body)).not.toContain("U0lHTkFUVVJF");
    }
  });

  it("agree on errors: status, message and overflow counts", () => {
    for (const status of [400, 401, 403, 404, 429, 500, 503, 504]) {
      const sent = upstream.codec.encodeError(new LonghaulError("upstream.refused", "No.", { status }));
      const error = client.codec.encodeError(upstream.codec.decodeError(sent.status, copyOf(sent.body)));
      expect(client.codec.decodeError(error.status, copyOf(error.body))).toMatchObject({ status, message: "No." });
    }
    const overflow = { actualTokens: 204_826, limitTokens: 200_000 };
    const sent = upstream.codec.encodeError(new LonghaulError("request.too-large", "too long", { overflow }));
    const error = client.codec.encodeError(upstream.codec.decodeError(sent.status, copyOf(sent.body)));
    expect(client.codec.decodeError(error.status, copyOf(error.body))).toMatchObject({
      code: "request.too-large",
      status: 400,
    });
  });

  it("agree on an error in mid-stream", () => {
    const error = new LonghaulError("upstream.busy", "Overloaded", { status: 503 });
    const start = { type: "reply-start", id: "r", model: "m" } as const;
    const events = runStream(
      upstream.codec.decodeStream,
      runStream(upstream.codec.encodeStream, [start, { type: "error", error }]),
    );
    const read = runStream(client.codec.decodeStream, runStream(client.codec.encodeStream, events));
    expect(read.at(-1)).toMatchObject({ type: "error", error: { code: "upstream.busy", message: "Overloaded" } });
  });
});

function copyOf<T extends JsonValue>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

function plain(conversation: Conversation): Conversation {
  return withoutMarks(normalConversation(conversation));
}

function isForeignFile(block: Block): boolean {
  return (block.type === "image" || block.type === "document") && block.source.kind === "file";
}

/** A reply whose thoughts have no ids: not every format has them, and one creates them. */
function anonymous(reply: Reply): Reply {
  const { blocks, ...rest } = normalReply(reply);
  return {
    ...rest,
    blocks: blocks.map((block) => {
      if (block.type !== "thinking") return block;
      const { id: _, ...thought } = block;
      return thought;
    }),
  };
}

/** A reply with thinking and a call, with the signature where the vendor puts it. */
function makeSignedReply({ vendor }: Format): Reply {
  const signature = "U0lHTkFUVVJF";
  const call = makeToolCall("call_1", vendor === "google" ? { signature } : {});
  const thought: Block = {
    type: "thinking",
    text: "hm",
    ...(vendor === "google" ? { vendor } : { signature, vendor }),
  };
  return {
    id: "r",
    model: "m",
    blocks: [thought, makeText("Go."), call],
    stopReason: "tool-calls",
    usage: makeUsage(),
  };
}

/** A client's result for the call. */
function resultFor({ codec }: Format): readonly JsonValue[] {
  switch (codec.id) {
    case "anthropic-messages":
      return [{ role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "ok" }] }];
    case "openai-chat":
      return [{ role: "tool", tool_call_id: "call_1", content: "ok" }];
    case "openai-responses":
      return [{ type: "function_call_output", call_id: "call_1", output: "ok" }];
    default:
      return [
        {
          role: "user",
          parts: [{ functionResponse: { id: "call_1", name: "read_file", response: { output: "ok" } } }],
        },
      ];
  }
}

function userSays({ codec }: Format): readonly JsonValue[] {
  return [codec.id === "gemini" ? { role: "user", parts: [{ text: "Go." }] } : { role: "user", content: "Go." }];
}

/** All signatures of this test in a body. */
function signaturesIn(value: JsonValue): string[] {
  if (typeof value === "string") return value.includes("U0lHTkFUVVJF") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(signaturesIn);
}
