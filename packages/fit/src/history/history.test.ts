import type { JsonObject, JsonValue, Message } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tolerantStore } from "../memory/tolerant-store.ts";
import { makeCall, makeStore } from "../testing/index.ts";
import { openWorkers } from "../workers/workers.ts";
import { type Histories, type History, makeHistories } from "./history.ts";
import { measurePiece, sha256 } from "./known-messages.ts";
import { type KnownMessages, makeKnownMessages } from "./message-memory.ts";

const FAMILIAR = FORMATS.map((format) => [format.codec.id, format] as const);

const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");
/** Shares nothing with the other counter. */
const newCounters = makeTokenCounters({ hash: sha256 });
const apart = await newCounters.counterFor("o200k");

/** Knows nothing, so that every body is parsed as a whole. */
const IGNORANT: KnownMessages = { lookUp: async () => undefined, splitKnown: () => {}, share: () => {} };

/** A conversation with tool results, longer than the shortest front. */
function longBody(session: number, turns: number): JsonObject {
  const turn = (at: number): JsonObject[] => [
    { role: "assistant", content: `${session}`, tool_calls: [toolCall(`call_${at}`)] },
    { role: "tool", tool_call_id: `call_${at}`, content: `${session} ${at} `.repeat(500) },
  ];
  const messages = Array.from({ length: turns }, (_, at) => turn(at)).flat();
  return { model: "m", messages: [{ role: "system", content: "Be brief." }, ...messages] };
}

function toolCall(id: string): JsonObject {
  return { id, type: "function", function: { name: "read", arguments: "{}" } };
}

/** A history without the positions in its bytes. */
function summaryOf({ layout: _, prefixes, loosePrefixes, headPrint, head, ...history }: History) {
  const { native: _native, ...rest } = head;
  const hashes = { prefixes: prefixes(), loosePrefixes: loosePrefixes("session"), headPrint: headPrint() };
  return { ...history, ...hashes, head: rest };
}

const anyIndent = () => fc.constantFrom(undefined, 1, "\t");
const toJson = (body: JsonObject, indent: number | string | undefined) => JSON.stringify(body, undefined, indent);

describe.each(FAMILIAR)("a history in the format %s", (wire, { anyBody, codec }) => {
  it("is the same whether its messages are known, new or parsed as a whole", async () => {
    const histories = makeHistories(makeKnownMessages());
    await fc.assert(
      fc.asyncProperty(anyBody(), anyIndent(), async (body, indent) => {
        const call = makeCall(toJson(body, indent), { wire });
        const parsed = summaryOf(await makeHistories(IGNORANT).read(call, apart));
        const first = await histories.read(call, counter);
        const again = await histories.read(call, counter);
        expect(summaryOf(first)).toEqual(parsed);
        expect(summaryOf(again)).toEqual(parsed);
        const { conversation } = call.wholeRequest();
        expect(first.tokens).toBe(apart.countConversation(conversation));
      }),
      { numRuns: 60 },
    );
  });

  it("reads only the new messages of a turn, with the same counts as a new conversation", async () => {
    const histories = makeHistories(makeKnownMessages());
    await fc.assert(
      fc.asyncProperty(anyBody(), async (body) => {
        const list = body[codec.messagesField];
        const entries = Array.isArray(list) ? list : [];
        for (let count = 1; count <= entries.length; count++) {
          const call = makeCall({ ...body, [codec.messagesField]: entries.slice(0, count) }, { wire });
          const grown = await histories.read(call, counter);
          expect(summaryOf(grown)).toEqual(summaryOf(await makeHistories(IGNORANT).read(call, apart)));
        }
      }),
      { numRuns: 15 },
    );
  });

  it("has the position of each message", async () => {
    const histories = makeHistories(makeKnownMessages());
    await fc.assert(
      fc.asyncProperty(anyBody(), anyIndent(), async (body, indent) => {
        const list = body[codec.messagesField];
        if (!Array.isArray(list)) return;
        const text = toJson(body, indent);
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

/** A change of a conversation: entries from `at` on are replaced with others from a pool. */
const anyChange = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  replaced: fc.constantFrom(0, 0, 0, 1, 99),
  added: fc.array(fc.nat(), { maxLength: 7 }),
  gateway: fc.nat(2),
  tokenizer: fc.constantFrom("claude" as const, "claude" as const, "o200k" as const),
});

/** Spaces make bodies long enough for fronts, and cost no tokens. */
const paddedBody = (field: string, entries: readonly JsonValue[], headBytes: number) => {
  const list = entries.map((entry) => `${" ".repeat(6_000)}${JSON.stringify(entry)}`);
  return `{${" ".repeat(headBytes)}"model":"m","${field}":[${list.join(",")}],"stream":true}`;
};

/** Gateways on one store. The last one forgets everything after each request. */
async function openGateways(): Promise<(at: number) => Histories> {
  const { fronts } = tolerantStore(await makeStore(), { waitMs: () => 60_000 });
  const open = () => makeHistories(makeKnownMessages({ store: fronts, limits: { used: 30_000, packed: 1e6 } }));
  const lasting = [open(), open()];
  return (at) => lasting[at] ?? open();
}

describe.each(FAMILIAR)("gateways on one store, in the format %s", (wire, { anyBody, codec }) => {
  it("read growing, branched and edited conversations as if they were new", async () => {
    const field = codec.messagesField;
    const anyEntries = anyBody().map((body) => (Array.isArray(body[field]) ? body[field] : []));
    const leading = codec.opensWithSystem ? [0, 1, 9] : [0];
    const gatewayAt = await openGateways();
    const counters = { claude: await newCounters.counterFor("claude"), o200k: apart };
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEntries, { minLength: 3, maxLength: 3 }).map((lists) => lists.flat()),
        fc.array(anyChange, { minLength: 6, maxLength: 6 }),
        fc.record({ headBytes: fc.constantFrom(0, 70_000), system: fc.constantFrom(...leading) }),
        async (pool, changes, { headBytes, system }) => {
          let entries: JsonValue[] = Array.from({ length: system }, () => ({ role: "system", content: "Be brief." }));
          for (const { at, replaced, added, gateway, tokenizer } of changes) {
            const from = replaced === 0 ? entries.length : Math.floor(at * entries.length);
            entries = entries.toSpliced(from, replaced, ...added.flatMap((each) => pool.at(each % pool.length) ?? []));
            const call = makeCall(paddedBody(field, entries, headBytes), { wire });
            const forgetful = { ...counters[tokenizer], knownSizes: () => undefined };
            const history = await gatewayAt(gateway).read(call, forgetful);
            const expected = await makeHistories(IGNORANT).read(call, counters[tokenizer]);
            expect(summaryOf(history)).toEqual(summaryOf(expected));
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("makeHistories", () => {
  it("measures no message of many long conversations twice at any ratio, and reads them as if they were new", async () => {
    const known = makeKnownMessages({ maxBytes: 2_000, limits: { used: 1, packed: 1e6 } });
    const histories = makeHistories(known);
    const plain = await makeTokenCounters().counterFor("claude");
    let measured = 0;
    const countingAt = async (ratio: number) => ({
      ...(await makeTokenCounters({ hash: sha256 }).counterFor("claude", ratio)),
      knownSizes: () => undefined,
      measureMessage: (message: Message) => {
        measured++;
        return plain.measureMessage(message);
      },
    });
    const read = async (session: number, turns: number, ratio = 1) => {
      const call = makeCall(longBody(session, turns), { wire: "openai-chat" });
      const before = measured;
      const history = await histories.read(call, await countingAt(ratio));
      const slow = await makeTokenCounters().counterFor("claude", ratio);
      expect(summaryOf(history)).toEqual(summaryOf(await makeHistories(IGNORANT).read(call, slow)));
      return measured - before;
    };
    const sessions = [1, 2, 3, 4, 5];
    for (const session of sessions) expect(await read(session, 40)).toBe(80);
    for (const session of sessions) expect(await read(session, 41, 1 + session / 10)).toBe(2);
  });

  it("counts messages that cannot be split, too", async () => {
    const call = makeCall('{"model":"m","input":"Hello."}', { wire: "openai-responses" });
    const { layout, messages, tokens } = await makeHistories(makeKnownMessages()).read(call, counter);
    expect([layout, messages.length]).toEqual([undefined, 1]);
    expect(tokens).toBe(counter.countConversation(call.request().conversation));
  });

  it("does not adopt sizes that another thread estimated without the vocabulary", async () => {
    const estimating = await makeTokenCounters({
      hash: sha256,
      loadEncoding: () => Promise.reject(new Error("not installed")),
    }).counterFor("o200k");
    const histories = makeHistories(makeKnownMessages(), async (piece) => measurePiece(piece, estimating));
    const large = { role: "user", content: "many words, and 日本語の文章 ".repeat(20_000) };
    const call = makeCall({ model: "m", messages: [large] }, { wire: "openai-chat" });
    const own = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");
    expect((await histories.read(call, own)).tokens).toBe(own.countConversation(call.request().conversation));
  });

  it("forgets heads that take too much space", async () => {
    const histories = makeHistories(makeKnownMessages());
    const read = async (lists: number, mark: string) => {
      const metadata = { mark, lists: Array.from({ length: lists }, () => Array(24_000).fill([])) };
      const body = { model: "m", metadata, messages: [{ role: "user", content: "Hello." }] };
      return (await histories.read(makeCall(body, { wire: "anthropic-messages" }), counter)).head;
    };
    const head = await read(1, "small");
    expect(await read(1, "small")).toBe(head);
    for (let index = 0; index < 15; index++) await read(6, `${index}`);
    expect(await read(1, "small")).not.toBe(head);
  });

  it("reads a changed head again", async () => {
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

  it("has no messages if all of them are the system prompt", async () => {
    const body = { model: "m", messages: [{ role: "system", content: "Be brief." }] };
    const history = await makeHistories(makeKnownMessages()).read(makeCall(body, { wire: "openai-chat" }), apart);
    expect(history.messages).toEqual([]);
    expect(history.head.conversation.system).toMatchObject([{ text: "Be brief." }]);
    expect(history.layout).toMatchObject({ spans: [], start: JSON.stringify(body).length - 2 });
  });
});

it("is the same if large messages and heads are read and counted by another thread", async () => {
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
    const read = summaryOf(
      await makeHistories(makeKnownMessages(), workers.measure).read(call, await counters.counterFor("o200k")),
    );
    expect(read).toEqual(summaryOf(await makeHistories(IGNORANT).read(call, apart)));
  } finally {
    await workers.close();
  }
});

it("takes the hash of a large head from the thread that counted it", async () => {
  const body = { model: "m", messages: [], max_tokens: 9, system: "be brief ".repeat(80_000) };
  const measured = { head: { sizes: counter.measureHead({ system: [], tools: [] }), print: "hash" } };
  const histories = makeHistories(makeKnownMessages(), async () => measured);
  const history = await histories.read(makeCall(body, { wire: "anthropic-messages" }), counter);
  expect(history.headPrint()).toBe("hash");
});
