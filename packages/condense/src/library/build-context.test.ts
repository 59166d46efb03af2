import type { Block, Message } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { get_encoding } from "tiktoken";
import { describe, expect, it } from "vitest";
import { isNote } from "../analysis/mark-reason.ts";
import type { Ask } from "../edits/edit.ts";
import { STRATEGIES } from "../registry.ts";
import { renderAsk } from "../summaries/ask.ts";
import { makeCounter } from "../testing/context.ts";
import { buildContext, compress, needsCompression } from "./build-context.ts";
import type { ContextOptions } from "./context-options.ts";
import { type ContextState, decodeContextState, encodeContextState } from "./context-state.ts";

const NOON = Date.UTC(2025, 9, 2, 12);
const LONG = "What was said here takes some room, so that there is something to gain. ".repeat(8);

/** A chat of `count` messages of about 150 tokens each, starting with the user. */
function makeChat(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const text = `Message ${index}: ${LONG}`;
    return index % 2 === 0 ? makeUser(text) : makeAssistant(text);
  });
}

function makeOptions(fields: Partial<ContextOptions> = {}): ContextOptions & { readonly asks: Ask[] } {
  const asks: Ask[] = [];
  const summarize = async (ask: Ask) => {
    asks.push(ask);
    return { kind: "text", text: `summary ${asks.length}` } as const;
  };
  const options = { maxContextTokens: 1_000, counter: makeCounter(), now: () => NOON, summarize, ...fields };
  // Not enumerable, because unknown options are refused.
  return Object.defineProperty({ ...options, asks }, "asks", { value: asks, enumerable: false });
}

const summaryOf = (text: string): Message => ({
  role: "system",
  blocks: [{ type: "text", text: `[Earlier conversation summary: ${text}]` }],
});

async function stateFor(messages: readonly Message[], options = makeOptions()): Promise<ContextState> {
  const { newState } = await buildContext(messages, undefined, options);
  if (newState === undefined) throw new Error("nothing was compressed");
  return newState;
}

describe("buildContext", () => {
  it("CX-T1: under the threshold returns the full history", async () => {
    const messages = makeChat(20);
    const options = makeOptions({ maxContextTokens: 100_000 });
    expect(await buildContext(messages, undefined, options)).toEqual({
      messages,
      summaryUsed: false,
      tokensUsed: messages.reduce((sum, message) => sum + options.counter.countMessage(message), 0),
      newState: undefined,
    });
    expect(options.asks).toEqual([]);
  });

  it("CX-T2: over the threshold triggers compression", async () => {
    const messages = makeChat(20);
    const options = makeOptions();
    const result = await buildContext(messages, undefined, options);
    expect(options.asks).toHaveLength(1);
    expect(options.asks[0]?.messages).toEqual(messages.slice(5, 15));
    expect(result.summaryUsed).toBe(true);
    expect(result.tokensUsed).toBeLessThan(20 * 100);
    expect(result.newState).toEqual({
      strategy: "sandwich",
      summary: "summary 1",
      summaryRange: [5, 15],
      compressedAt: "2025-10-02T12:00:00.000Z",
      prefix: expect.any(String),
    });
  });

  it("CX-T3: the top 5 messages are always preserved", async () => {
    const messages = makeChat(30);
    const result = await buildContext(messages, undefined, makeOptions());
    expect(result.messages.slice(0, 5)).toEqual(messages.slice(0, 5));
  });

  it("CX-T4: the bottom 5 messages are always preserved", async () => {
    const messages = makeChat(30);
    const result = await buildContext(messages, undefined, makeOptions());
    expect(result.messages.slice(-5)).toEqual(messages.slice(-5));
  });

  it("CX-T5: a cached summary is reused when valid", async () => {
    const messages = makeChat(20);
    const state = await stateFor(messages);
    const options = makeOptions();
    const result = await buildContext(messages, state, options);
    expect(options.asks).toEqual([]);
    expect(result).toMatchObject({ summaryUsed: true, newState: undefined });
    expect(result.messages).toEqual([...messages.slice(0, 5), summaryOf("summary 1"), ...messages.slice(15)]);
  });

  it("CX-T6: the cache is invalidated when the middle grows, and the summary updated with the new messages alone", async () => {
    const messages = makeChat(24);
    const state = await stateFor(messages.slice(0, 20));
    const options = makeOptions();
    const result = await buildContext(messages, state, options);
    expect(options.asks).toHaveLength(1);
    expect(options.asks[0]).toMatchObject({ previous: "summary 1", messages: messages.slice(15, 19) });
    expect(result.newState).toMatchObject({ summary: "summary 1", summaryRange: [5, 19] });
    expect(result.messages).toEqual([...messages.slice(0, 5), summaryOf("summary 1"), ...messages.slice(19)]);
  });

  it("reuses a summary whose middle has grown as long as that is enough", async () => {
    const messages = makeChat(21);
    const state = await stateFor(messages.slice(0, 20));
    const options = makeOptions({ maxContextTokens: 2_600 });
    const result = await buildContext(messages, state, options);
    expect(options.asks).toEqual([]);
    expect(result).toMatchObject({ summaryUsed: true, newState: undefined });
    expect(result.messages).toEqual([...messages.slice(0, 5), summaryOf("summary 1"), ...messages.slice(15)]);
  });

  it("CX-T7: the summary is a system message between top and bottom", async () => {
    const result = await buildContext(makeChat(20), undefined, makeOptions());
    expect(result.messages).toHaveLength(11);
    expect(result.messages[5]).toEqual(summaryOf("summary 1"));
  });

  it("CX-T8: the token estimate is within a fifth of the real count", async () => {
    const encoding = get_encoding("o200k_base");
    const messages = makeChat(20);
    const real = messages.reduce((sum, { blocks }) => {
      return (
        sum + blocks.reduce((of, block) => of + (block.type === "text" ? encoding.encode(block.text).length : 0), 0)
      );
    }, 0);
    const { tokensUsed } = await buildContext(messages, undefined, makeOptions({ maxContextTokens: 100_000 }));
    expect(Math.abs(tokensUsed / real - 1)).toBeLessThan(0.2);
    encoding.free();
  });

  it("CX-NT1: zero tokens of context are a VALIDATION_ERROR", async () => {
    const built = buildContext(makeChat(20), undefined, makeOptions({ maxContextTokens: 0 }));
    await expect(built).rejects.toMatchObject({ code: "VALIDATION_ERROR", message: "Context limit must be positive" });
  });

  it("CX-NT3: a failing model causes SERVICE_UNAVAILABLE, and the cached summary stays valid", async () => {
    const messages = makeChat(24);
    const state = await stateFor(messages.slice(0, 20));
    const before = structuredClone(state);
    const options = makeOptions({ summarize: () => Promise.reject(new Error("overloaded")) });
    await expect(buildContext(messages, state, options)).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: expect.stringContaining("overloaded"),
    });
    expect(state).toEqual(before);
    expect(await buildContext(messages.slice(0, 20), state, makeOptions())).toMatchObject({ newState: undefined });
  });

  it.each([
    ["a failed answer", { kind: "failed", why: "no credit" } as const],
    ["an empty one", { kind: "text", text: " " } as const],
    ["an unreadable one", { kind: "compaction", block: { type: "compaction", text: null } } as const],
  ])("treats %s like a failing model", async (_, answer) => {
    const built = buildContext(makeChat(20), undefined, makeOptions({ summarize: async () => answer }));
    await expect(built).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("rejects a conversation without messages", async () => {
    const built = buildContext([], undefined, makeOptions());
    await expect(built).rejects.toMatchObject({ code: "VALIDATION_ERROR", message: "Conversation has no messages" });
  });

  it("ignores a state of another strategy, of other messages, or of more messages than there are", async () => {
    const messages = makeChat(20);
    const state = await stateFor(messages);
    const edited = messages.with(7, makeAssistant(`Changed: ${LONG}`));
    for (const [cached, now] of [
      [{ ...state, strategy: "native" }, messages],
      [state, edited],
      [state, messages.slice(0, 14)],
    ] as const) {
      const options = makeOptions();
      const result = await buildContext(now, cached, options);
      expect(options.asks.map(({ previous }) => previous)).toEqual([undefined]);
      expect(result.newState?.summaryRange).toEqual([5, now.length - 5]);
    }
  });

  it("accepts a state without a hash", async () => {
    const messages = makeChat(20);
    const { prefix: _, ...state } = await stateFor(messages);
    const options = makeOptions();
    await buildContext(messages, state, options);
    expect(options.asks).toEqual([]);
  });

  it("extends the kept parts if five messages would split a tool pair, and records the real cut", async () => {
    const pair = (id: string) => [makeAssistant([LONG, makeToolCall(id)]), makeUser(makeToolResult(id, LONG))];
    const messages = [...makeChat(4), ...pair("a"), ...makeChat(10), ...pair("b"), ...makeChat(4)];
    const { newState } = await buildContext(messages, undefined, makeOptions());
    expect(newState?.summaryRange).toEqual([6, 16]);
  });

  it("keeps the latest user message in place, with a summary on either side, and reuses both", async () => {
    const steps = Array.from({ length: 10 }, (_, step) => [
      makeAssistant([LONG, makeToolCall(`c${step}`)]),
      makeUser(makeToolResult(`c${step}`, LONG)),
    ]).flat();
    const messages = [...makeChat(9), ...steps];
    const options = makeOptions();
    const { newState, messages: sent } = await buildContext(messages, undefined, options);
    expect(sent).toEqual([
      ...messages.slice(0, 5),
      summaryOf("summary 1"),
      messages[8],
      summaryOf("summary 2"),
      ...messages.slice(23),
    ]);
    expect(newState).toMatchObject({
      summary: "summary 1\n\nsummary 2",
      summaryRange: [5, 23],
      pieces: [
        { from: 5, to: 8, text: "summary 1" },
        { from: 9, to: 23, text: "summary 2" },
      ],
    });
    const again = makeOptions();
    expect((await buildContext(messages, newState, again)).messages).toEqual(sent);
    expect(again.asks).toEqual([]);
  });
});

describe("needsCompression", () => {
  it("is true above the threshold if there are more messages than are kept", () => {
    expect(needsCompression(makeChat(11), makeOptions())).toBe(true);
    expect(needsCompression(makeChat(10), makeOptions())).toBe(false);
    expect(needsCompression(makeChat(11), makeOptions({ maxContextTokens: 100_000 }))).toBe(false);
  });

  it("uses only the given limit", () => {
    const messages = makeChat(11);
    const tokens = messages.reduce((sum, message) => sum + makeCounter().countMessage(message), 0);
    const at = (compressionThreshold: number) =>
      needsCompression(messages, makeOptions({ maxContextTokens: 2 * tokens, compressionThreshold }));
    expect([at(0.5), at(0.499)]).toEqual([false, true]);
  });
});

describe("compress", () => {
  it("asks with the strategy's prompt, with the messages between rules", async () => {
    const options = makeOptions();
    expect(await compress(makeChat(2), options)).toBe("summary 1");
    const asked = options.asks.map(renderAsk).join("");
    expect(asked).toMatch(/^Summarize this conversation excerpt concisely\. Preserve:/);
    expect(asked).toMatch(/Conversation:\n---\n\[user\]\nMessage 0:[\s\S]*\n---\n$/);
  });

  it("refuses a strategy and other unknown options", async () => {
    const given = { ...makeOptions(), strategy: "native" };
    await expect(compress(makeChat(2), given)).rejects.toThrow(
      'unknown option "strategy"; known options: maxContextTokens, counter, now, config, compressionThreshold, summarize, hash',
    );
  });

  it("CX-NT2: no messages cause a VALIDATION_ERROR, without a model call", async () => {
    const options = makeOptions();
    await expect(compress([], options)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "Conversation has no messages",
    });
    expect(options.asks).toEqual([]);
  });
});

describe.each(STRATEGIES.map(({ id }) => id))("buildContext with %s", (strategy) => {
  const messages = makeChat(40).map((message, index) => (index % 4 === 0 ? makeUser(`Mind point ${index}.`) : message));
  const options = (fields: Partial<ContextOptions> = {}) =>
    makeOptions({ maxContextTokens: 4_000, strategy, ...fields });

  it("fits the messages, and reuses its stored state on the next turn", async () => {
    const { messages: sent, newState, tokensUsed } = await buildContext(messages, undefined, options());
    if (strategy === "full-history") return expect(sent).toBe(messages);
    expect(tokensUsed).toBeLessThan(4_000);
    const stored = decodeContextState(JSON.parse(JSON.stringify(encodeContextState(newState ?? FAIL))));
    const next = [...messages, makeAssistant("Noted."), makeUser("Go on.")];
    const later = options({ compressionThreshold: 1 });
    const again = await buildContext(next, stored, { ...later });
    expect(later.asks).toEqual([]);
    expect(again).toMatchObject({ messages: [...sent, ...next.slice(-2)], newState: undefined });
  });

  it("refuses a configuration with an unknown field, even below the threshold", async () => {
    const config = { noSuchSetting: 1 };
    await expect(buildContext(makeChat(1), undefined, options({ config }))).rejects.toThrow(/noSuchSetting/);
  });
});

const FAIL: ContextState = {
  strategy: "none",
  summary: "nothing was condensed",
  summaryRange: [0, 1],
  compressedAt: "",
};

/** Returns the `previous` of each ask: none if the state is reused, undefined if a summary starts from scratch. */
async function previousSummaries(messages: readonly Message[], state: ContextState, fields: Partial<ContextOptions>) {
  const options = makeOptions(fields);
  await buildContext(messages, state, options);
  return options.asks.map(({ previous }) => previous);
}

function isNoteBlock(block: Block): boolean {
  return block.type === "text" && isNote(block.text);
}

describe("buildContext with other strategies", () => {
  it("keeps the user's messages with sandwich if the configuration has a share for them", async () => {
    const messages = makeChat(20).map((message, index) => (index % 2 === 0 ? makeUser(`Mind ${index}.`) : message));
    const { messages: sent } = await buildContext(messages, undefined, makeOptions({ config: { userShare: 0.2 } }));
    const words = (from: readonly Message[]) =>
      from.flatMap(({ role, blocks }) => (role === "user" ? blocks : [])).filter((block) => !isNoteBlock(block));
    expect(words(sent)).toEqual(words(messages));
  });

  it("updates the summary of native with only the new messages", async () => {
    const fields = { strategy: "native", config: { userShare: 0 }, maxContextTokens: 3_000 };
    const state = await stateFor(makeChat(21), makeOptions(fields));
    const options = makeOptions(fields);
    await buildContext(makeChat(41), state, options);
    expect(options.asks).toMatchObject([{ previous: "summary 1", messages: makeChat(41).slice(18, 38) }]);
  });

  it("does not use a state of another strategy or of changed messages", async () => {
    const messages = makeChat(21);
    const state = await stateFor(messages, makeOptions({ strategy: "native" }));
    const changed = messages.with(3, makeAssistant("changed"));
    expect(await previousSummaries(changed, state, { strategy: "native" })).toEqual([undefined]);
    const byTree = await previousSummaries(messages, state, { strategy: "tree-summary" });
    expect(new Set(byTree)).toEqual(new Set([undefined]));
    expect(await previousSummaries(messages, state, {})).toEqual([undefined]);
    expect(await previousSummaries(messages, { ...state, strategy: "sandwich" }, {})).toEqual([undefined]);
  });

  it("does not use a state of another configuration", async () => {
    const messages = makeChat(20).map((message, index) => (index % 2 === 0 ? makeUser(`Mind ${index}.`) : message));
    const state = await stateFor(messages, makeOptions({ config: { userShare: 0.2 } }));
    const [same, defaults, other] = [{ userShare: 0.2 }, { preserveTop: 5, userShare: 0.2 }, { userShare: 1 }];
    expect(await previousSummaries(messages, state, { config: same })).toEqual([]);
    expect(await previousSummaries(messages, state, { config: defaults })).toEqual([]);
    expect(await previousSummaries(messages, state, { config: other })).toEqual([undefined]);
  });

  it("names unknown strategies and options", async () => {
    const given = { ...makeOptions(), maxTokens: 5, treshold: 0.5 };
    await expect(buildContext(makeChat(1), undefined, given)).rejects.toThrow(
      'unknown options "maxTokens", "treshold"; known options: maxContextTokens, counter, now, strategy, config, compressionThreshold, summarize, hash',
    );
    await expect(buildContext(makeChat(1), undefined, makeOptions({ strategy: "best" }))).rejects.toThrow(
      /unknown strategy "best"; known strategies: native, /,
    );
  });
});
