import type { JsonObject } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCall } from "../testing/index.ts";
import { openWorkers } from "../workers/workers.ts";
import { type History, makeHistories } from "./history.ts";
import { type KnownMessages, makeKnownMessages, sha256 } from "./known-messages.ts";

const FAMILIAR = FORMATS.map((format) => [format.codec.id, format] as const);

const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");
/** Shares nothing with the other one. */
const apart = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");

/** Knows nothing, so that every body is parsed whole. */
const IGNORANT: KnownMessages = { lookUp: async () => undefined };

/** All that a history says, but for the bytes that it stands in. */
function told({ layout: _, prefixes, loosePrefixes, headPrint, head, ...history }: History) {
  const { native: _native, ...rest } = head;
  const hashes = { prefixes: prefixes(), loosePrefixes: loosePrefixes("session"), headPrint: headPrint() };
  return { ...history, ...hashes, head: rest };
}

const anySpelling = () => fc.constantFrom(undefined, 1, "\t");
const spell = (body: JsonObject, indent: number | string | undefined) => JSON.stringify(body, undefined, indent);

describe.each(FAMILIAR)("a history in the format %s", (wire, { anyBody, codec }) => {
  it("says the same whether its messages are looked up or parsed whole, met before or not", async () => {
    const histories = makeHistories(makeKnownMessages());
    await fc.assert(
      fc.asyncProperty(anyBody(), anySpelling(), async (body, indent) => {
        const call = makeCall(spell(body, indent), { wire });
        const parsed = told(await makeHistories(IGNORANT).read(call, apart));
        const first = await histories.read(call, counter);
        const again = await histories.read(call, counter);
        expect(told(first)).toEqual(parsed);
        expect(told(again)).toEqual(parsed);
        const { conversation } = call.wholeRequest();
        expect(first.tokens).toBe(apart.countConversation(conversation));
      }),
      { numRuns: 60 },
    );
  });

  it("costs what is new in a turn, and counts the same as a conversation that is met for the first time", async () => {
    const histories = makeHistories(makeKnownMessages());
    await fc.assert(
      fc.asyncProperty(anyBody(), async (body) => {
        const list = body[codec.messagesField];
        const entries = Array.isArray(list) ? list : [];
        for (let count = 1; count <= entries.length; count++) {
          const call = makeCall({ ...body, [codec.messagesField]: entries.slice(0, count) }, { wire });
          const grown = await histories.read(call, counter);
          expect(told(grown)).toEqual(told(await makeHistories(IGNORANT).read(call, apart)));
        }
      }),
      { numRuns: 15 },
    );
  });

  it("knows where each message stands", async () => {
    const histories = makeHistories(makeKnownMessages());
    await fc.assert(
      fc.asyncProperty(anyBody(), anySpelling(), async (body, indent) => {
        const list = body[codec.messagesField];
        if (!Array.isArray(list)) return;
        const text = spell(body, indent);
        const bytes = Buffer.from(text);
        const { layout, messages } = await histories.read(makeCall(text, { wire }), counter);
        const entries = layout?.spans.map(({ from, to }) => JSON.parse(bytes.subarray(from, to).toString()));
        expect(entries).toEqual(list.slice(list.length - messages.length));
        expect(layout?.start).toBe(layout?.spans[0]?.from ?? layout?.start);
      }),
      { numRuns: 40 },
    );
  });
});

describe("makeHistories", () => {
  it("counts what cannot be looked up too", async () => {
    const call = makeCall('{"model":"m","input":"Hello."}', { wire: "openai-responses" });
    const { layout, messages, tokens } = await makeHistories(makeKnownMessages()).read(call, counter);
    expect([layout, messages.length]).toEqual([undefined, 1]);
    expect(tokens).toBe(counter.countConversation(call.request().conversation));
  });

  it("reads a head again that has changed", async () => {
    const histories = makeHistories(makeKnownMessages());
    const read = async (system: string) => {
      const body = { model: "m", max_tokens: 5, system, messages: [{ role: "user", content: "Hello." }] };
      const { head, headTokens } = await histories.read(makeCall(body, { wire: "anthropic-messages" }), counter);
      return { system: head.conversation.system, headTokens };
    };
    const [short, long] = [await read("Be brief."), await read("Be brief, and be kind.")];
    expect(long.headTokens).toBeGreaterThan(short.headTokens);
    expect(await read("Be brief.")).toEqual(short);
  });

  it("has no messages where all of them are the system prompt", async () => {
    const body = { model: "m", messages: [{ role: "system", content: "Be brief." }] };
    const history = await makeHistories(makeKnownMessages()).read(makeCall(body, { wire: "openai-chat" }), apart);
    expect(history.messages).toEqual([]);
    expect(history.head.conversation.system).toMatchObject([{ text: "Be brief." }]);
    expect(history.layout).toMatchObject({ spans: [], start: JSON.stringify(body).length - 2 });
  });
});

it("says the same of large messages and heads, which another thread reads and counts", async () => {
  const counters = makeTokenCounters({ hash: sha256 });
  const workers = openWorkers(counters);
  const messages = [
    { role: "user", content: "some words ".repeat(40_000) },
    { role: "assistant", content: "short" },
    { role: "user", content: "x".repeat(300_000) },
  ];
  const call = makeCall(
    { model: "m", messages, max_tokens: 9, system: "be brief ".repeat(80_000) },
    { wire: "anthropic-messages" },
  );
  try {
    const read = told(
      await makeHistories(makeKnownMessages(), workers.measure).read(call, await counters.counterFor("o200k")),
    );
    expect(read).toEqual(told(await makeHistories(IGNORANT).read(call, apart)));
  } finally {
    await workers.close();
  }
});
