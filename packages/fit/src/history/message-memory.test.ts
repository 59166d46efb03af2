import { makeTokenCounters, type TokenCountersOptions } from "@longhaul/models";
import type { Size } from "@longhaul/models/advanced";
import { type Fronts, openStore, type Store } from "@longhaul/store";
import { codecOf } from "@longhaul/wire";
import { describe, expect, it, onTestFinished } from "vitest";
import { type TolerantStore, tolerantStore } from "../memory/tolerant-store.ts";
import { makeCall } from "../testing/index.ts";
import { makeHistories } from "./history.ts";
import { frontKeys } from "./known-fronts.ts";
import { sha256 } from "./known-messages.ts";
import { MAX_STORED_BYTES, makeKnownMessages } from "./message-memory.ts";

const codec = codecOf("anthropic-messages");
const encode = (text: string) => new TextEncoder().encode(text);
/** A conversation of 4 KB per turn. */
const turnsOf = (turns: number) => {
  const turn = (at: number) => [
    { role: "user", content: `Question ${at}` },
    { role: "assistant", content: `${at} answer `.repeat(400) },
  ];
  const messages = Array.from({ length: turns }, (_, at) => turn(at)).flat();
  return JSON.stringify({ model: "m", max_tokens: 9, messages });
};
const keysOf = (body: string) => frontKeys(encode(body), codec);
const bodyOf = (...messages: string[]) => encode(`{"model":"m","messages":[${messages.join(",")}]}`);

describe("makeKnownMessages", () => {
  it("recognises a message, also in another spelling", async () => {
    const known = makeKnownMessages();
    const first = await known.lookUp(bodyOf('{"role":"user","content":"hi"}'), codec);
    const again = await known.lookUp(
      bodyOf('{"role":"user","content":"hi"}', '{"content":[{"text":"hi","type":"text"}],"role":"user"}'),
      codec,
    );
    expect(again?.messages[0]).toBe(first?.messages[0]);
    expect(again?.messages[1]).toEqual(first?.messages[0]);
  });

  it("gives the same result for a long history that grew, is known or is new", async () => {
    const messages = Array.from(
      { length: 12 },
      (_, index) => `{"role":"user","content":"${`${index}`.repeat(9_000)}"}`,
    );
    const known = makeKnownMessages();
    const grown = [
      messages.slice(0, 10),
      messages,
      messages,
      [...messages.slice(0, 9), '{"role":"user","content":"hi"}'],
    ];
    for (const list of grown) {
      const body = bodyOf(...list);
      const { front: _, ...found } = (await known.lookUp(body, codec)) ?? {};
      const { front: _new, ...expected } = (await makeKnownMessages().lookUp(body, codec)) ?? {};
      expect(found).toEqual(expected);
    }
  });

  it("has roles and tool calls", async () => {
    const call = '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]}';
    const looked = await makeKnownMessages().lookUp(bodyOf('{"role":"user","content":"hi"}', call), codec);
    expect(looked?.messages).toMatchObject([
      { role: "user", hasToolCalls: false },
      { role: "assistant", hasToolCalls: true },
    ]);
  });

  it("evicts the least recently used messages", async () => {
    const known = makeKnownMessages({ maxBytes: 1_500 });
    const message = (text: string) => `{"role":"user","content":"${text}"}`;
    const a = (await known.lookUp(bodyOf(message("a")), codec))?.messages[0];
    await known.lookUp(bodyOf(message("b")), codec);
    expect((await known.lookUp(bodyOf(message("a")), codec))?.messages[0]).toBe(a);
    await known.lookUp(bodyOf(message("c"), message("d")), codec);
    expect((await known.lookUp(bodyOf(message("a")), codec))?.messages[0]).not.toBe(a);
  });

  it("counts the space of a message with very many results", async () => {
    const known = makeKnownMessages({ maxBytes: 20_000 });
    const result = { type: "tool_result", tool_use_id: "a", content: "result" };
    const large = JSON.stringify({ role: "user", content: Array.from({ length: 1_000 }, () => result) });
    const first = (await known.lookUp(bodyOf(large), codec))?.messages[0];
    const again = (await known.lookUp(bodyOf(large), codec))?.messages[0];
    expect([again, again === first]).toEqual([first, false]);
  });

  it.each(["{}", '{"messages":[{"role":}]}', '{"messages":[1],"messages":[]}'])(
    "leaves %s to the parser",
    async (text) => {
      expect(await makeKnownMessages().lookUp(encode(text), codec)).toBeUndefined();
    },
  );
});

describe("a shared store", () => {
  /** A gateway of its own on the store: nothing in its memory. Returns how many messages a turn measured. */
  const openGateway = (store: Store, options: TokenCountersOptions = {}) => {
    const { fronts } = tolerantStore(store, { waitMs: () => 60_000 });
    const histories = makeHistories(makeKnownMessages({ store: fronts }));
    return async (turns: number, ratio = 1) => {
      let measured = 0;
      const counter = await makeTokenCounters({ hash: sha256, ...options }).counterFor("claude", ratio);
      const counting: typeof counter = {
        ...counter,
        measureMessage: (message) => {
          measured++;
          return counter.measureMessage(message);
        },
      };
      const call = makeCall(turnsOf(turns), { wire: "anthropic-messages" });
      const { tokens, messages, prefixes } = await histories.read(call, counting);
      const slow = await makeHistories(makeKnownMessages()).read(call, counter);
      expect([tokens, messages, prefixes()]).toEqual([slow.tokens, slow.messages, slow.prefixes()]);
      return measured;
    };
  };
  const openTestStore = async () => {
    const store = await openStore({ path: ":memory:", nowMs: () => 0 });
    onTestFinished(() => store.close());
    return store;
  };

  it("spares another process the reading and counting of a known conversation", async () => {
    const store = await openTestStore();
    const first = openGateway(store);
    expect(await first(20)).toBe(40);
    expect(await openGateway(store)(21, 1.5)).toBe(6);
    expect(await openGateway(store)(20)).toBe(4);
  });

  it("keeps one front of a growing conversation, at most a fifth shorter than it", async () => {
    const store = await openTestStore();
    const first = openGateway(store);
    for (let turns = 10; turns <= 60; turns++) await first(turns);
    const bytes = turnsOf(60).length;
    const found = await store.fronts.find(keysOf(turnsOf(60)));
    expect(found).toHaveLength(1);
    expect(found[0]?.bytes).toBeGreaterThan(bytes / 1.25 - 20_000);
    expect(await openGateway(store)(60)).toBeLessThan(30);
  });

  it("gets no sizes that were estimated without the vocabulary", async () => {
    const store = await openTestStore();
    const loadEncoding = () => Promise.reject(new Error("not installed"));
    expect(await openGateway(store, { loadEncoding })(20)).toBe(40);
    expect(await store.fronts.find(keysOf(turnsOf(20)))).toEqual([]);
  });

  it("keeps the front of a conversation until a longer one is stored, and rarely asks a failing store", async () => {
    const store = await openTestStore();
    const { fronts } = store;
    let isFull = false;
    let failures = 0;
    const put: Fronts["put"] = async (...front) => {
      if (isFull) failures++;
      if (isFull) throw new Error("the disk is full");
      await fronts.put(...front);
    };
    const first = openGateway({ ...store, fronts: { ...fronts, put } });
    await first(20);
    isFull = true;
    for (let times = 0; times < 10; times++) await first(40);
    expect(failures).toBe(1);
    expect((await fronts.find(keysOf(turnsOf(40)))).map(({ bytes }) => bytes)).toHaveLength(1);
    isFull = false;
    for (let times = 0; times < 21; times++) await first(40);
    const [front, ...others] = await fronts.find(keysOf(turnsOf(40)));
    expect(others).toEqual([]);
    expect(front?.bytes).toBeGreaterThan(turnsOf(40).length / 1.25);
  });

  it("keeps the common front of two conversations when one of them grows", async () => {
    const store = await openTestStore();
    const known = makeKnownMessages({ store: tolerantStore(store).fronts });
    const histories = makeHistories(known);
    const counter = await makeTokenCounters({ hash: sha256 }).counterFor("claude");
    const read = (body: string) => histories.read(makeCall(body, { wire: "anthropic-messages" }), counter);
    await read(turnsOf(20));
    await read(turnsOf(20).replace("Question 18", "Another question"));
    await read(turnsOf(40));
    expect(await store.fronts.find(keysOf(turnsOf(20)))).toHaveLength(1);
    expect(await store.fronts.find(keysOf(turnsOf(40)))).toHaveLength(2);
  });

  it("is not used if its facts are damaged or of another version", async () => {
    const store = await openTestStore();
    await openGateway(store)(20);
    const [front] = await store.fronts.find(keysOf(turnsOf(20)));
    if (front === undefined) throw new Error("the front is stored");
    const facts = (await store.fronts.read(front)) ?? [];
    const text = Buffer.from(facts).toString();
    const damaged = [
      "",
      "{",
      "{}",
      text.slice(64),
      text.slice(0, -1),
      text.replace(/.]}$/, "9]}"),
      text.replace("1", "-1"),
    ];
    for (const each of damaged) {
      await store.fronts.put(front, encode(each));
      expect(await openGateway(store)(20)).toBe(40);
    }
  });

  it.each([
    [
      "short messages",
      Array.from({ length: 3_000 }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content: `${at}` })),
    ],
    [
      "short parts",
      Array.from({ length: 9 }, () => ({
        role: "user",
        content: Array(500).fill({ type: "tool_result", tool_use_id: "a" }),
      })),
    ],
  ])("has no facts about many %s, which take more space than the messages", async (_, list) => {
    const store = await openTestStore();
    const histories = makeHistories(makeKnownMessages({ store: tolerantStore(store).fronts }));
    const call = makeCall({ model: "m", messages: list }, { wire: "anthropic-messages" });
    await histories.read(call, await makeTokenCounters().counterFor("claude"));
    expect(await store.fronts.find(frontKeys(call.body, codec))).toEqual([]);
  });

  /** Shares a front with 400 KB of facts a hundred times. Returns the bytes that were stored before the first pruning. */
  const shareOften = async (put: () => Promise<boolean>) => {
    let [bytes, isPruned] = [0, false];
    const fronts: TolerantStore["fronts"] = {
      find: async () => [],
      read: async () => undefined,
      put: (_, { length }) => {
        if (!isPruned) bytes += length;
        return put();
      },
      prune: async (storedBeforeMs, maxBytes) => {
        expect([storedBeforeMs, maxBytes]).toEqual([0, MAX_STORED_BYTES]);
        isPruned = true;
        return 0;
      },
    };
    const known = makeKnownMessages({ store: fronts });
    const body = encode(turnsOf(600));
    const { front } = (await known.lookUp(body, codec)) ?? {};
    if (front === undefined) throw new Error("a long body has a front");
    const { split, messages } = front;
    const sizes = [Array<Size>(8_000).fill({ text: 1 / 3, fixed: 2 / 3 })];
    const counted = { tokenizer: "claude" as const, sizes, after: new Map() };
    for (let times = 0; times < 100; times++) {
      known.share(body, codec, { front: { split, messages, after: new Map() }, counted });
      await Promise.resolve();
    }
    return { bytes, isPruned };
  };

  it("is pruned before its facts take more than their share", async () => {
    const { bytes, isPruned } = await shareOften(async () => true);
    expect(isPruned).toBe(true);
    expect(bytes).toBeLessThan(MAX_STORED_BYTES / 9);
  });

  it("gets no more facts while many are still being written", async () => {
    const { bytes, isPruned } = await shareOften(() => new Promise(() => {}));
    expect([bytes > 1e6, bytes < 20e6, isPruned]).toEqual([true, true, false]);
  });
});
