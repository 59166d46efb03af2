import { CLEARED } from "@longhaul/condense/advanced";
import type { Message } from "@longhaul/conversation";
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
import { makeFront } from "@longhaul/store/testing";
import { FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageSizes } from "./counted.ts";
import { bytesOf, type KnownMessage, knowMessage, sha256 } from "./known-messages.ts";
import { FACTS_VERSION, packMessages, readFacts, writeFacts } from "./packed-messages.ts";

const TOKENIZERS = ["o200k", "cl100k", "claude", "claude-5", "gemini", "other"] as const;
const FRONT = makeFront();
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("claude");
const countedWith = (sizes: readonly MessageSizes[] = []) => ({ tokenizer: "claude" as const, sizes });

describe.each(FORMATS.map((format) => [format.codec.id, format] as const))("packed messages of %s", (_, format) => {
  it("are the same after unpacking, in a fraction of the space", () => {
    fc.assert(
      fc.property(format.anyBody(), (body) => {
        const { messages } = format.codec.decodeRequest(body, { model: "m", stream: false }).conversation;
        const known = messages.map(knowMessage);
        const packed = packMessages([...known, ...known]);
        expect(packed.unpack()).toEqual([...known, ...known]);
        const most = known.reduce((sum, message) => sum + bytesOf(message), 0);
        expect(packed.byteLength).toBeLessThanOrEqual(most * 1.5);
      }),
      { numRuns: 60 },
    );
  });

  it("are the same after writing and reading, with their sizes", () => {
    fc.assert(
      fc.property(format.anyBody(), (body) => {
        const { messages } = format.codec.decodeRequest(body, { model: "m", stream: false }).conversation;
        const sizes = messages.map(counter.measureMessage);
        const facts = { messages: messages.map(knowMessage), counted: countedWith(sizes) };
        expect(readFacts(FRONT, writeFacts(FRONT, facts))).toEqual(facts);
      }),
      { numRuns: 60 },
    );
  });
});

/** An agent's turns whose texts, reasoning, calls and images have different lengths. */
function makeVaried(turns: number): KnownMessage[] {
  return Array.from({ length: turns }, (_, at) => [
    makeAssistant([makeThinking("t".repeat(50 + at)), makeText("w".repeat(20 + at * 3))]),
    makeUser([makeImage(), makeText("u".repeat(at + 1)), makeToolResult(`call_${at}`)]),
  ])
    .flat()
    .map((message) => ({
      ...knowMessage(message),
      imageBytes: message.role === "user" ? message.blocks.length * 7 : 0,
    }));
}

it("have the same shape if they differ only in hashes and lengths", () => {
  const messages = [...makeAgentLoop(50).messages.map(knowMessage), ...makeVaried(100)];
  const written = Buffer.from(writeFacts(FRONT, { messages, counted: countedWith() })).toString();
  expect(written.match(/"facts":/g)?.length).toBeLessThan(10);
  expect(packMessages(messages).unpack()).toEqual(messages);
  expect(packMessages(messages).byteLength / messages.length).toBeLessThan(120);
});

it("count the space of their shapes", () => {
  const [known] = makeVaried(1);
  if (known === undefined) throw new Error("a turn has messages");
  const varied = Array.from({ length: 100 }, (_, images) => ({ ...known, cacheMarks: images }));
  expect(packMessages(varied).byteLength).toBeGreaterThan(40_000);
});

it("count the space of a message with very many results", () => {
  const known = knowMessage(makeUser(Array.from({ length: 1_000 }, (_, at) => makeToolResult(`call_${at}`))));
  expect(packMessages([known]).byteLength).toBeGreaterThan(18_000);
  expect(bytesOf(known)).toBeGreaterThan(33_000);
});

it("are not read for another front", () => {
  const written = writeFacts(FRONT, { messages: makeVaried(1), counted: countedWith() });
  for (const other of [{ key: "other" }, { rest: "other" }, { bytes: 2 }]) {
    expect(readFacts({ ...FRONT, ...other }, written)).toBeUndefined();
  }
});

/** Texts that clients write in place of a result, and one that they do not. */
const CLEARED_RESULTS = [
  "[Old tool result content cleared]",
  "[cleared]",
  "[Output removed to save context - information superseded or no longer needed]",
  CLEARED,
  "",
  "cleared",
];

/** Messages with everything that facts depend on: all kinds of content, cleared results, and bodies of every format. */
function makeEverything(): Message[] {
  const user = makeUser([makeText("See this.", { ttl: "1h" }), makeImage(), makeDocument(), makeOpaque()]);
  const assistant = makeAssistant([makeThinking(), makeRedactedThinking(), makeCompaction()]);
  const cleared = makeUser(CLEARED_RESULTS.map((text) => ({ ...makeToolResult("a"), content: [makeText(text)] })));
  const read = FORMATS.flatMap(({ codec, anyBody }) =>
    fc
      .sample(anyBody(), { seed: 1, numRuns: 40 })
      .flatMap((body) => codec.decodeRequest(body, { model: "m", stream: false }).conversation.messages),
  );
  return [...makeAgentLoop(3).messages, user, assistant, cleared, ...read];
}

it("has another version whenever the stored facts about the same messages differ", async () => {
  const messages = makeEverything();
  const counters = makeTokenCounters({ hash: sha256 });
  const known = messages.map(knowMessage);
  const facts: unknown[] = [known];
  for (const tokenizer of TOKENIZERS) facts.push(messages.map((await counters.counterFor(tokenizer)).measureMessage));
  // If this fails, raise FACTS_VERSION and update the hash: other processes would use facts that are no longer true. If only the random
  // bodies of a format's tests have changed, update the hash alone.
  expect([FACTS_VERSION, sha256(JSON.stringify(facts)).slice(0, 16)]).toEqual([3, "19b6f872160bfd18"]);
});
