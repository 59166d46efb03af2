import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "./block.ts";
import {
  clearablePrints,
  fingerprint,
  headFingerprint,
  looseFingerprint,
  prefixHashes,
  pureHash,
} from "./fingerprint.ts";
import type { Message } from "./message.ts";
import {
  anyBlock,
  anyBrokenText,
  anyCharacters,
  anyText,
  makeAssistant,
  makeImage,
  makeMessage,
  makeOpaque,
  makeRedactedThinking,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "./testing/index.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "./values/json.ts";

const anyMessage = fc
  .tuple(
    fc.constantFrom("user" as const, "assistant" as const, "system" as const),
    fc.array(anyBlock(), { minLength: 1, maxLength: 4 }),
  )
  .map(([role, blocks]) => makeMessage(role, blocks));

describe("fingerprint", () => {
  it("ignores the order of keys", () => {
    fc.assert(fc.property(anyMessage, (message) => print(reorder(message)) === print(message)));
  });

  it("ignores cache marks, also in nested blocks", () => {
    fc.assert(fc.property(anyMessage, (message) => print(mark(message)) === print(message)));
    const nested = { content: [{ type: "text", text: "x", cache_control: { type: "ephemeral" } }] };
    expect(print(makeUser(makeOpaque("search_result", nested)))).toBe(
      print(makeUser(makeOpaque("search_result", { content: [{ type: "text", text: "x" }] }))),
    );
  });

  it("ignores the native value and null fields", () => {
    const plain = makeUser("Hello");
    const decoded: Message = {
      role: "user",
      native: { wire: "openai-chat", value: { role: "user", content: "Hello" } },
      extra: { name: null },
      blocks: [{ ...makeText("Hello"), extra: { citations: null, cache_control: { type: "ephemeral" } } }],
    };
    expect(print(decoded)).toBe(print(plain));
  });

  it("differs when any single value that a model reads differs", () => {
    fc.assert(
      fc.property(anyMessage, fc.nat(), (message, seed) => {
        const places = leaves(message.blocks);
        fc.pre(places.length > 0);
        const changed = changeAt(message.blocks, places[seed % places.length]!);
        expect(print({ ...message, blocks: changed })).not.toBe(print(message));
      }),
      { numRuns: 500 },
    );
  });

  it("differs for another role, an added or removed block, and another order of blocks", () => {
    fc.assert(
      fc.property(anyMessage, anyBlock(), (message, more) => {
        const others = [
          { ...message, role: message.role === "user" ? ("assistant" as const) : ("user" as const) },
          { ...message, blocks: [...message.blocks, more] },
          { ...message, blocks: message.blocks.slice(1) },
          { ...message, blocks: [more, ...message.blocks.slice(1), makeText("tail")] },
        ];
        expect(others.map(print)).not.toContain(print(message));
      }),
    );
    expect(print(makeUser(["a", "b"]))).not.toBe(print(makeUser(["b", "a"])));
  });

  it("differs for unknown fields with a value, and for a tool input named like a cache mark", () => {
    const call = makeToolCall("a", { input: { path: "x" } });
    const prints = [
      call,
      { ...call, extra: { caller: "sub-agent" } },
      { ...call, input: { path: "x", cache_control: "off" } },
      makeOpaque("server_tool_use", { input: {} }),
      makeOpaque("server_tool_use", { input: { cache_control: "off" } }),
    ].map((block) => print(makeAssistant(block)));
    expect(new Set(prints).size).toBe(prints.length);
    expect(print({ ...makeUser("x"), extra: { name: "Ada" } })).not.toBe(print(makeUser("x")));
  });

  it("differs for another signature of a call and another id of a thinking block", () => {
    const call = makeToolCall("a");
    const thought = makeThinking();
    const prints = [
      call,
      { ...call, signature: "c2ln" },
      { ...call, signature: "b3RoZXI=" },
      thought,
      { ...thought, id: "rs_1" },
      { ...thought, id: "rs_2" },
    ].map((block) => print(makeAssistant(block)));
    expect(new Set(prints).size).toBe(prints.length);
  });

  it("differs for text that imitates the serialization of blocks", () => {
    const prints = [makeUser(["a", "b"]), makeUser('a"],["text","b'), makeUser("ab"), makeUser(["", "ab"])].map(print);
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe("looseFingerprint", () => {
  it("ignores everything that the full fingerprint ignores", () => {
    fc.assert(fc.property(anyMessage, (message) => loose(mark(reorder(message))) === loose(message)));
  });

  it("ignores thinking and the signature of a call", () => {
    const call = makeToolCall("a");
    const bare = makeAssistant(["Now.", call]);
    expect(loose(makeAssistant([makeThinking(), makeRedactedThinking(), "Now.", { ...call, signature: "c2ln" }]))).toBe(
      loose(bare),
    );
  });

  it("reduces a tool result to its call id", () => {
    const cleared = makeUser(makeToolResult("a", "[cleared]"));
    expect(loose(makeUser(makeToolResult("a", [makeImage()], { isError: true })))).toBe(loose(cleared));
    expect(loose(makeUser(makeToolResult("b", "[cleared]")))).not.toBe(loose(cleared));
  });

  it("differs when any other value differs", () => {
    fc.assert(
      fc.property(anyMessage, fc.nat(), (message, seed) => {
        const places = leaves(message.blocks).filter((path) => !isForgotten(message.blocks, path));
        fc.pre(places.length > 0);
        const changed = changeAt(message.blocks, places[seed % places.length]!);
        expect(loose({ ...message, blocks: changed })).not.toBe(loose(message));
      }),
      { numRuns: 500 },
    );
  });
});

describe("prefixHashes", () => {
  const anyPrints = fc.array(fc.constantFrom<string[]>("a", "b", "c", "ab"), { minLength: 1, maxLength: 8 });

  it("gives every prefix a hash that later messages never change", () => {
    fc.assert(
      fc.property(anyPrints, anyPrints, (prints, more) => {
        expect(hashes([...prints, ...more]).slice(0, prints.length)).toEqual(hashes(prints));
      }),
    );
  });

  it("differs from the first different message on", () => {
    fc.assert(
      fc.property(anyPrints, fc.nat(), (prints, seed) => {
        const changedAt = seed % prints.length;
        const other = hashes(prints.with(changedAt, "other"));
        const same = hashes(prints).map((hash, index) => hash === other[index]);
        expect(same).toEqual(prints.map((_, index) => index < changedAt));
      }),
    );
  });

  it("gives all prefixes of a conversation different hashes", () => {
    fc.assert(fc.property(anyPrints, (prints) => new Set(hashes(prints)).size === prints.length));
  });

  it("returns no hashes for no messages", () => {
    expect(hashes([])).toEqual([]);
  });
});

function print(message: Message): string {
  return fingerprint(message, pureHash);
}

function loose(message: Message): string {
  return looseFingerprint(message, pureHash);
}

function hashes(prints: readonly string[]): string[] {
  return prefixHashes(prints, pureHash);
}

/** Reverses the keys of every object, like another serializer might. */
function reorder<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reorder) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reorder(inner)])) as T;
}

function mark(message: Message): Message {
  const blocks = message.blocks.map((block): Block => {
    if (block.type === "thinking" || block.type === "redacted-thinking") return block;
    if (block.type === "tool-result") {
      return { ...block, cache: {}, content: block.content.map((part) => ({ ...part, cache: { ttl: "1h" } })) };
    }
    if (block.type !== "opaque") return { ...block, cache: { ttl: "5m" } };
    const value = { ...toObject(block.native.value), cache_control: { type: "ephemeral" } };
    return { ...block, native: { ...block.native, value } };
  });
  return { ...message, blocks, extra: { cache_control: { type: "ephemeral" } } };
}

type Path = readonly (string | number)[];

/** Keys that a model never reads, or that would change the block type. */
const UNREAD = new Set(["cache", "vendor", "type", "wire", "mediaType"]);

/** Paths of all scalars that the model reads. A source's kind is skipped because it determines the other fields. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => leaves(inner, [...path, index]));
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .filter(([key]) => !UNREAD.has(key) && !(key === "kind" && path.at(-1) === "source"))
      .flatMap(([key, inner]) => leaves(inner, [...path, key]));
  }
  return value === undefined ? [] : [path];
}

function changeAt<T>(value: T, path: Path): T {
  const [key, ...rest] = path;
  if (key === undefined) return changed(value) as T;
  if (Array.isArray(value)) return value.with(Number(key), changeAt(value[Number(key)], rest)) as T;
  return { ...value, [key]: changeAt((value as Record<string, unknown>)[key], rest) };
}

function changed(value: unknown): unknown {
  if (typeof value === "string") return `${value}'`;
  if (typeof value === "number") return value + 1;
  return typeof value === "boolean" ? !value : "something";
}

function isForgotten(blocks: readonly Block[], [index, key]: Path): boolean {
  const { type } = blocks[Number(index)]!;
  return type.endsWith("thinking") || (type === "tool-result" && key !== "callId");
}

function toObject(value: JsonValue): JsonObject {
  return isJsonObject(value) && !isJsonArray(value) ? value : {};
}

describe("clearablePrints", () => {
  const printsOf = (...blocks: Block[]) => clearablePrints(makeMessage("user", blocks), pureHash);

  it("identifies a message together with the loose fingerprint", () => {
    const hashesOf = (message: Message) => [looseFingerprint(message, pureHash), clearablePrints(message, pureHash)];
    fc.assert(
      fc.property(anyMessage, anyMessage, (one, other) => {
        const isSame = fingerprint(one, pureHash) === fingerprint(other, pureHash);
        if (isSame) expect(hashesOf(one)).toEqual(hashesOf(other));
        else if (!one.blocks.some(({ type }) => type === "thinking" || type === "redacted-thinking")) {
          expect(hashesOf(one)).not.toEqual(hashesOf(other));
        }
      }),
    );
  });

  it("has one hash per result, per thinking block and per signature", () => {
    const call: Block = { ...makeToolCall("a"), signature: "proof" };
    const { results, thoughts } = printsOf(
      makeThinking("Hm."),
      call,
      makeText("So."),
      makeToolResult("a", "one"),
      makeToolResult("b", "two"),
    );
    expect([results.length, thoughts.length, new Set([...results, ...thoughts]).size]).toEqual([2, 2, 4]);
    expect(printsOf(makeText("So."))).toEqual({ results: [], thoughts: [] });
  });
});

describe("headFingerprint", () => {
  const tool = { name: "read", kind: "function", inputSchema: { type: "object" } } as const;
  const print = (system: string, tools: readonly (typeof tool | (typeof tool & { description: string }))[]) =>
    headFingerprint({ system: [makeText(system)], tools }, pureHash);

  it("differs for another system prompt and other tools, and ignores cache marks", () => {
    const heads = [
      print("a", []),
      print("b", []),
      print("a", [tool]),
      print("a", [{ ...tool, description: "Reads." }]),
    ];
    expect(new Set(heads).size).toBe(4);
    const marked = { system: [{ ...makeText("a"), cache: {} }], tools: [{ ...tool, cache: {} }] };
    expect(headFingerprint(marked, pureHash)).toBe(print("a", [tool]));
  });
});

describe("pureHash", () => {
  it("returns the first 128 bits of SHA-256", () => {
    expect(pureHash("")).toBe("e3b0c44298fc1c149afbf4c8996fb924");
    const text = fc.oneof(anyText(), anyBrokenText(), anyCharacters());
    fc.assert(
      fc.property(text, (value) => pureHash(value) === createHash("sha256").update(value).digest("hex").slice(0, 32)),
    );
  });
});
