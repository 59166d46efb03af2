import { makeTokenCounters } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCall } from "../testing/index.ts";
import { type History, makeHistories } from "./history.ts";
import { type KnownMessages, makeKnownMessages, sha256 } from "./known-messages.ts";
import { KnownPrefixes } from "./known-prefixes.ts";

const counters = makeTokenCounters({ hash: sha256 });
/** Shares nothing with the others. */
const apart = makeTokenCounters({ hash: sha256 });
const counterAt = (ratio: number) => counters.counterFor("o200k", ratio);

/** A message of about 1.5 KB. Its number is its content; a mark asks the vendor to cache it. */
function message(number: number, hasMark = false): object {
  const text = `${number}: ${`word${number} `.repeat(200)}`;
  const mark = hasMark ? { cache_control: { type: "ephemeral" } } : {};
  if (number % 3 === 0) return { role: "user", content: [{ type: "text", text, ...mark }] };
  if (number % 3 === 1) {
    const call = { type: "tool_use", id: `c${number}`, name: "read", input: { path: text } };
    return {
      role: "assistant",
      content: [
        { type: "text", text: "I look." },
        { ...call, ...mark },
      ],
    };
  }
  const result = { type: "tool_result", tool_use_id: `c${number - 1}`, content: text };
  return { role: "user", content: [{ ...result, ...mark }] };
}

interface Resent {
  /** How many messages of the last turn it keeps. */
  readonly kept: number;
  readonly added: readonly number[];
  readonly marks: number;
  readonly system: string;
  readonly ratio: number;
}

const anyResent = (): fc.Arbitrary<Resent> =>
  fc.record({
    kept: fc.oneof({ weight: 4, arbitrary: fc.constant(99) }, { weight: 1, arbitrary: fc.nat(20) }),
    added: fc.array(fc.nat(30), { maxLength: 6 }),
    marks: fc.constantFrom(0, 2, 4),
    system: fc.constantFrom("Be brief.", "Be kind."),
    ratio: fc.constantFrom(1, 1.03),
  });

function bodyOf(numbers: readonly number[], { system, marks }: Resent): object {
  const messages = numbers.map((number, index) => message(number, index >= numbers.length - marks));
  return { model: "m", max_tokens: 9, system, messages };
}

/** Everything that a history says, once all of it is read. */
async function factsOf(history: History) {
  await history.complete();
  const { prefixes, loosePrefixes, hashesAt, headPrint, messages, messageTokens, tokens, headTokens, layout } = history;
  const hashes = { prefixes: prefixes(), loose: loosePrefixes("session"), head: headPrint() };
  const positions = { spans: layout?.spans, start: layout?.start, fields: layout?.fields };
  const all = messages.map((each) => ({ ...each }));
  return { all, messageTokens, tokens, headTokens, ...hashes, ...positions, last: hashesAt(messages.length) };
}

/** Reads with a new memory. */
async function readSlowly(body: object, ratio: number) {
  const counter = await apart.counterFor("o200k", ratio);
  return await makeHistories(makeKnownMessages()).read(callOf(body), counter);
}

const callOf = (body: object | string) => makeCall(body, { wire: "anthropic-messages" });

describe("a known conversation", () => {
  it("has the same facts as one that is read for the first time, however it continues", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyResent(), { minLength: 2, maxLength: 8 }), async (turns) => {
        const histories = makeHistories(makeKnownMessages(10));
        let numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
        for (const turn of turns) {
          numbers = [...numbers.slice(0, Math.max(1, turn.kept)), ...turn.added];
          const body = bodyOf(numbers, turn);
          const history = await histories.read(callOf(body), await counterAt(turn.ratio));
          const slow = await readSlowly(body, turn.ratio);
          expect(history.tokens).toBe(slow.tokens);
          for (const [index, prefix] of history.prefixes().entries())
            if (prefix !== "") expect(prefix).toBe(slow.prefixes()[index]);
          expect(history.prefixes().at(-1)).toBe(slow.prefixes().at(-1));
          expect(history.messages.map(({ fingerprint }) => fingerprint)).toEqual(
            slow.messages.map(({ fingerprint }) => fingerprint),
          );
          expect(await factsOf(history)).toEqual(await factsOf(slow));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is read again only from the new messages on", async () => {
    const read: number[] = [];
    const known = makeKnownMessages(1);
    const counting: KnownMessages = {
      lookUp: async (...args) => {
        const looked = await known.lookUp(...args);
        read.push(looked?.messages.length ?? 0);
        return looked;
      },
    };
    const histories = makeHistories(counting);
    const counter = await counterAt(1);
    const turn = { kept: 99, added: [], marks: 0, system: "Be brief.", ratio: 1 };
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    for (const count of [12, 14, 14, 20]) await histories.read(callOf(bodyOf(numbers.slice(0, count), turn)), counter);
    const moved = { ...turn, marks: 2, system: "Be kind." };
    await histories.read(callOf(bodyOf(numbers, moved)), counter);
    expect(read).toEqual([12, 2, 0, 6, 4]);
  });

  it("keeps the hashes of marked positions", async () => {
    const histories = makeHistories(makeKnownMessages());
    const counter = await counterAt(1);
    const turn = { kept: 99, added: [], marks: 0, system: "Be brief.", ratio: 1 };
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const readTo = (count: number) => histories.read(callOf(bodyOf(numbers.slice(0, count), turn)), counter);
    const first = await readTo(12);
    first.mark(7);
    const later = await readTo(30);
    const last = await readTo(40);
    expect(last.hashesAt(7)).toEqual(first.hashesAt(7));
    expect(last.hashesAt(6)).toBeUndefined();
    expect(later.prefixes()[6]).toBe(first.prefixes()[6]);
  });
});

describe("KnownPrefixes", () => {
  const turn = { kept: 99, added: [], marks: 0, system: "Be brief.", ratio: 1 };
  const talk = (from: number) =>
    bodyOf(
      Array.from({ length: 12 }, (_, index) => from + index),
      turn,
    );
  /** Whether a conversation is known, read with a memory that keeps nothing else. */
  const open = (maxBytes: number) => {
    const prefixes = new KnownPrefixes(() => maxBytes);
    const histories = makeHistories(makeKnownMessages(1), { prefixes });
    return async (body: object, tenant = "") => {
      const call = { ...callOf(body) };
      const caller = { ...call.caller, tenant };
      const history = await histories.read({ ...call, caller }, await counterAt(1));
      return history.prefixes().includes("");
    };
  };

  it("evicts the conversation that was not continued for the longest time", async () => {
    const isKnown = open(5_000);
    await isKnown(talk(0));
    await isKnown(talk(100));
    expect(await isKnown(talk(0))).toBe(true);
    await isKnown(talk(200));
    expect(await isKnown(talk(0))).toBe(true);
    expect(await isKnown(talk(100))).toBe(false);
  });

  it("shares nothing between tenants", async () => {
    const isKnown = open(1_000_000);
    await isKnown(talk(0), "one");
    expect(await isKnown(talk(0), "two")).toBe(false);
    expect(await isKnown(talk(0), "one")).toBe(true);
  });

  it("keeps both branches of a conversation", async () => {
    const isKnown = open(1_000_000);
    const branch = (end: number) => bodyOf([...Array.from({ length: 12 }, (_, index) => index), end, end + 1], turn);
    await isKnown(talk(0));
    await isKnown(branch(20));
    await isKnown(branch(23));
    expect([await isKnown(branch(20)), await isKnown(branch(23)), await isKnown(talk(0))]).toEqual([true, true, true]);
  });
});
