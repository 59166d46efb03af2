import { fingerprint, pureHash } from "@longhaul/conversation/advanced";
import {
  anyBlock,
  anyConversation,
  anyMessages,
  makeAgentLoop,
  makeConversation,
  makeText,
  makeTool,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { countByCharacters } from "./bpe/byte-pair-counter.ts";
import { makeSizeCache } from "./size-cache.ts";
import { makeRoughCounter, makeTokenCounter, makeTokenCounters } from "./token-counters.ts";
import { TOKENIZER_FAMILIES } from "./tokenizer-families.ts";

const counters = makeTokenCounters({ hash: pureHash });

it("counts a text for an unknown model as at least a quarter of its length, times the ratio", async () => {
  const unknown = await counters.counterFor("other");
  expect(unknown.countText(" ".repeat(4_000))).toBe(1_150);
  const dense = "日本語の文章を数える。";
  const encoded = (await counters.counterFor("o200k")).countText(dense);
  expect(unknown.countText(dense)).toBe(Math.round(encoded * 1.15));
  expect((await counters.counterFor("other", 0.8)).countText(" ".repeat(4_000))).toBe(800);
});

it("counts OpenAI's text exactly", async () => {
  const text = "请修复这个测试, aren't they?";
  expect((await counters.counterFor("o200k")).countText(text)).toBe(9);
  expect((await counters.counterFor("cl100k")).countText(text)).toBe(11);
});

it("counts other families by their encoding times their ratio", async () => {
  const text = "The nearest encoding is taken. ".repeat(20);
  const exact = (await counters.counterFor("cl100k")).countText(text);
  expect((await counters.counterFor("claude")).countText(text)).toBe(Math.round(exact * 1.2));
  expect((await counters.counterFor("claude", 1.4)).countText(text)).toBe(Math.round(exact * 1.4));
});

it("names the tokenizers if it gets another name, such as a model's", async () => {
  const counting = Reflect.apply(makeTokenCounters().counterFor, undefined, ["gpt-5"]);
  await expect(counting).rejects.toThrow(/^unknown tokenizer "gpt-5"; .*findModel.*o200k/);
});

it("has a counter for every tokenizer of the catalog", async () => {
  for (const tokenizer of ["o200k", "cl100k", "claude", "claude-5", "gemini", "other"] as const) {
    expect((await counters.counterFor(tokenizer)).countConversation(makeAgentLoop(3))).toBeGreaterThan(100);
  }
  expect(Object.keys(TOKENIZER_FAMILIES)).toHaveLength(6);
});

it("shares the cache among counters of a family, and not with other families", async () => {
  const message = makeUser("A picture says more.");
  const first = await counters.counterFor("claude");
  first.countMessage(message);
  const key = fingerprint(message, pureHash);
  const sizes = (await counters.counterFor("claude", 2)).knownSizes(key) ?? [];
  expect(first.countSizes(sizes)).toBe(first.countMessage(message));
  expect((await counters.counterFor("gemini")).knownSizes(key)).toBeUndefined();
});

it("counts four characters as a token without a vocabulary", () => {
  expect(makeRoughCounter().countText("x".repeat(40))).toBe(10);
});

it("counts four characters as a token if an encoding cannot be loaded", async () => {
  const without = makeTokenCounters({ loadEncoding: () => Promise.reject(new Error("not installed")) });
  const counter = await without.counterFor("o200k");
  expect([counter.countText("x".repeat(40)), counter.isEstimate]).toEqual([10, true]);
  expect((await counters.counterFor("o200k")).isEstimate).toBeUndefined();
});

const FAMILIES = Object.entries(TOKENIZER_FAMILIES);
const ratio = fc.double({ min: 0.5, max: 2.5, noNaN: true });

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe.each(FAMILIES)("the counter of %s", (_name, family) => {
  const make = (factor: number) => makeTokenCounter({ family, countText: countByCharacters, ratio: factor });

  it("counts a conversation as the sum of system, tools and messages", () => {
    fc.assert(
      fc.property(anyConversation(), ratio, (conversation, factor) => {
        const counter = make(factor);
        const { system, tools, messages } = conversation;
        const parts = [counter.countSystem(system), counter.countTools(tools), ...messages.map(counter.countMessage)];
        expect(counter.countConversation(conversation)).toBe(sum(parts));
      }),
      { numRuns: 30 },
    );
  });

  it("counts a message as the sum of its blocks and overhead", () => {
    fc.assert(
      fc.property(fc.array(anyBlock(), { maxLength: 5 }), ratio, (blocks, factor) => {
        const counter = make(factor);
        const expected = family.overhead.message + sum(blocks.map(counter.countBlock));
        expect(counter.countMessage({ role: "user", blocks })).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("counts whole tokens, and never fewer for a higher ratio", () => {
    fc.assert(
      fc.property(anyBlock(), ratio, ratio, (block, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const [fewer, more] = [make(low).countBlock(block), make(high).countBlock(block)];
        expect(Number.isInteger(fewer) && fewer >= 0 && fewer <= more).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

it("applies the family's ratio by default", () => {
  const family = TOKENIZER_FAMILIES.claude;
  const text = "x".repeat(400);
  expect(makeTokenCounter({ family, countText: countByCharacters }).countText(text)).toBe(120);
  expect(makeTokenCounter({ family, countText: countByCharacters, ratio: 2 }).countText(text)).toBe(200);
});

it("counts the overhead of a request with the system blocks, and of tools only if there are any", () => {
  const family = TOKENIZER_FAMILIES.o200k;
  const counter = makeTokenCounter({ family, countText: countByCharacters });
  expect(counter.countSystem([])).toBe(family.overhead.request);
  expect(counter.countSystem([makeText("four")])).toBe(family.overhead.request + family.overhead.message + 1);
  expect(counter.countTools([])).toBe(0);
  expect(counter.countTools([makeTool()])).toBeGreaterThan(family.overhead.tools + family.overhead.tool);
});

describe("with a cache", () => {
  const family = TOKENIZER_FAMILIES.claude;
  const hash = pureHash;

  it("counts only the new part of a grown conversation, even if all objects are new", () => {
    const countText = vi.fn(countByCharacters);
    const cache = makeSizeCache({ hash });
    const counter = makeTokenCounter({ family, countText, cache: cache });
    const conversation = makeAgentLoop(20);
    const before = counter.countConversation(structuredClone(conversation));
    countText.mockClear();
    const grown = { ...conversation, messages: [...conversation.messages, makeUser("Thanks.")] };
    expect(counter.countConversation(structuredClone(grown))).toBe(before + counter.countMessage(makeUser("Thanks.")));
    expect(countText.mock.calls).toEqual([["Thanks."]]);
  });

  it("returns the same counts as without", () => {
    const cache = makeSizeCache({ hash, maxBlocks: 5 });
    fc.assert(
      fc.property(anyConversation(), ratio, (conversation, factor) => {
        const remembering = makeTokenCounter({ family, countText: countByCharacters, ratio: factor, cache: cache });
        const plain = makeTokenCounter({ family, countText: countByCharacters, ratio: factor });
        for (const again of [conversation, structuredClone(conversation)]) {
          expect(remembering.countConversation(again)).toBe(plain.countConversation(conversation));
        }
      }),
    );
  });

  it("recognizes a message by its fingerprint, at any ratio", () => {
    const cache = makeSizeCache({ hash });
    fc.assert(
      fc.property(anyMessages(), ratio, (messages, factor) => {
        const first = makeTokenCounter({ family, countText: countByCharacters, cache: cache });
        first.countConversation(makeConversation(messages));
        const later = makeTokenCounter({ family, countText: countByCharacters, ratio: factor, cache: cache });
        for (const message of messages) {
          const sizes = later.knownSizes(fingerprint(message, hash)) ?? [];
          expect(later.countSizes(sizes)).toBe(later.countMessage(message));
        }
      }),
    );
    const counter = makeTokenCounter({ family, countText: countByCharacters, cache: cache });
    expect(counter.knownSizes("never seen")).toBeUndefined();
  });
});

it("adopts the sizes of another counter without reading the message", () => {
  const family = TOKENIZER_FAMILIES.claude;
  const conversation = makeConversation([makeUser("some words")], {
    system: [makeText("be brief")],
    tools: [makeTool()],
  });
  const measuring = makeTokenCounter({ family, countText: countByCharacters });
  const countText = vi.fn(() => 0);
  const counter = makeTokenCounter({ family, countText, cache: makeSizeCache({ hash: pureHash }) });
  const [message] = conversation.messages;
  if (message === undefined) throw new Error("there is a message");
  counter.adoptHead(conversation, measuring.measureHead(conversation));
  counter.adoptMessage(fingerprint(message, pureHash), measuring.measureMessage(message));
  expect(counter.countConversation(conversation)).toBe(measuring.countConversation(conversation));
  expect(countText).not.toHaveBeenCalled();
});
