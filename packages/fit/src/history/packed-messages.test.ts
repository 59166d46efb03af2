import {
  makeAgentLoop,
  makeAssistant,
  makeCompaction,
  makeDocument,
  makeImage,
  makeOpaque,
  makeRedactedThinking,
  makeText,
  makeThinking,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { makeTokenCounters } from "@longhaul/models";
import { FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knowMessage, sha256 } from "./known-messages.ts";
import { FACTS_VERSION, makePacking } from "./packed-messages.ts";

const TOKENIZERS = ["o200k", "cl100k", "claude", "claude-5", "gemini", "other"] as const;
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

it("have the same shape if they differ only in hashes", () => {
  const { messages } = makeAgentLoop(50);
  const facts = { messages: messages.map(knowMessage), counted: { tokenizer: "claude" as const, sizes: [] } };
  const written = Buffer.from(makePacking().write(facts)).toString();
  expect(written.match(/"facts":/g)?.length).toBeLessThan(10);
});

it("count the space of a message with very many results", () => {
  const known = knowMessage(makeUser(Array.from({ length: 1_000 }, (_, at) => makeToolResult(`call_${at}`))));
  expect(makePacking().pack([known]).byteLength).toBeGreaterThan(18_000);
});

it("has another version whenever the stored facts about the same messages differ", async () => {
  const user = makeUser([makeText("See this.", { ttl: "1h" }), makeImage(), makeDocument(), makeOpaque()]);
  const assistant = makeAssistant([makeThinking(), makeRedactedThinking(), makeCompaction()]);
  const messages = [...makeAgentLoop(3).messages, user, assistant];
  const counters = makeTokenCounters({ hash: sha256 });
  const known = messages.map(knowMessage);
  const { write } = makePacking();
  const written: Uint8Array[] = [];
  for (const tokenizer of TOKENIZERS) {
    const sizes = messages.map((await counters.counterFor(tokenizer)).measureMessage);
    written.push(write({ messages: known, counted: { tokenizer, sizes } }));
  }
  // If this fails, raise FACTS_VERSION and update the hash: other processes would use facts that are no longer true.
  expect([FACTS_VERSION, sha256(Buffer.concat(written).toString()).slice(0, 16)]).toEqual([2, "fc534453582dbfa7"]);
});
