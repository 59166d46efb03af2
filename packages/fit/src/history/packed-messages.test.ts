import { makeAgentLoop } from "@longhaul/conversation/testing";
import { makeTokenCounters } from "@longhaul/models";
import { FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knowMessage, sha256 } from "./known-messages.ts";
import { FACTS_VERSION, makePacking } from "./packed-messages.ts";

const counter = await makeTokenCounters({ hash: sha256 }).counterFor("claude");

describe.each(FORMATS.map((format) => [format.codec.id, format] as const))("packed messages of %s", (_, format) => {
  it("are the same after unpacking, in a fraction of the space", () => {
    const { pack } = makePacking();
    fc.assert(
      fc.property(format.anyBody(), (body) => {
        const { messages } = format.codec.decodeRequest(body, { model: "m", stream: false }).conversation;
        const known = messages.map(knowMessage);
        const packed = pack(known);
        expect(packed.unpack()).toEqual(known);
        expect(packed.byteLength).toBeLessThanOrEqual(JSON.stringify(known).length / 2);
      }),
      { numRuns: 60 },
    );
  });

  it("are the same after writing and reading, with their sizes", () => {
    const { write } = makePacking();
    const { read } = makePacking();
    fc.assert(
      fc.property(format.anyBody(), (body) => {
        const { messages } = format.codec.decodeRequest(body, { model: "m", stream: false }).conversation;
        const sizes = messages.map(counter.measureMessage);
        const facts = { messages: messages.map(knowMessage), counted: { tokenizer: "claude" as const, sizes } };
        expect(read(write(facts))).toEqual(facts);
      }),
      { numRuns: 60 },
    );
  });
});

it("has another version whenever the stored facts about the same messages differ", () => {
  const { messages } = makeAgentLoop(3);
  const counted = { tokenizer: "claude" as const, sizes: messages.map(counter.measureMessage) };
  const written = makePacking().write({ messages: messages.map(knowMessage), counted });
  // If this fails, raise FACTS_VERSION and update the hash: other processes would use facts that are no longer true.
  expect([FACTS_VERSION, sha256(Buffer.from(written).toString()).slice(0, 16)]).toEqual([1, "ee97d96c19632be1"]);
});
