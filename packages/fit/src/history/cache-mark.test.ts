import type { Block, JsonValue, Message, WireId } from "@longhaul/conversation";
import {
  anyMessages,
  makeAssistant,
  makeCompaction,
  makeImage,
  makeOpaque,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { makeTokenCounters } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCall } from "../testing/index.ts";
import { markFor, marksFor, withoutMarks, writeMarkable } from "./cache-mark.ts";
import { makeHistories } from "./history.ts";
import { marksIn, sha256 } from "./known-messages.ts";
import { makeKnownMessages } from "./message-memory.ts";
import type { Part, Written } from "./parts.ts";

const WIRE = "anthropic-messages";
const MARK = ',"cache_control":{"type":"ephemeral"}';
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");

function writerOf(wire: WireId) {
  const write = codecOf(wire).messageWriter({ system: [], tools: [], messages: [] }, "anthropic");
  return (message: Message) =>
    write(message)
      .map((entry) => JSON.stringify(entry))
      .join(",");
}

describe("writeMarkable", () => {
  const markable = (message: Message, wire: WireId = WIRE) => writeMarkable(message, wire, writerOf(wire));

  it.each<[string, Block]>([
    ["a text", makeText('Say "cache_control".')],
    ["an image", makeImage()],
    ["a tool call", makeToolCall()],
    ["a tool result", makeToolResult()],
    ["a result of an image", makeToolResult("a", [makeImage()])],
  ])("finds the position for a mark on %s", (_, block) => {
    const message = { role: "user", blocks: [makeText("First."), block] } as const;
    const { json, markAt = 0 } = markable(message);
    expect(JSON.parse(json)).toEqual(JSON.parse(writerOf(WIRE)(message)));
    const marked = JSON.parse(json.slice(0, markAt) + MARK + json.slice(markAt));
    const { content } = JSON.parse(json);
    expect(marked.content).toEqual([content[0], { ...content[1], cache_control: { type: "ephemeral" } }]);
  });

  it("is not misled by a tool's arguments", () => {
    const input = { path: "a.ts", cache_control: { type: "ephemeral" } };
    const calls = [makeToolCall("a", { input }), makeToolCall("b", { input })];
    for (const message of [makeAssistant(calls), makeAssistant([...calls, makeText("Done.")])]) {
      const { json, markAt = 0 } = markable(message);
      const marked = JSON.parse(json.slice(0, markAt) + MARK + json.slice(markAt));
      const { content } = JSON.parse(writerOf(WIRE)(message));
      expect(JSON.parse(json).content).toEqual(content);
      expect(marked.content).toEqual(content.with(-1, { ...content.at(-1), cache_control: { type: "ephemeral" } }));
    }
  });

  it.each<[string, Message]>([
    ["thinking", makeAssistant(makeThinking())],
    ["a vendor's summary", makeAssistant(makeCompaction())],
    ["an unknown block", makeUser(makeOpaque())],
    ["a marked block", makeUser(makeText("First.", {}))],
    ["nothing", { role: "user", blocks: [] }],
  ])("finds no position for a mark on %s", (_, message) => {
    expect(markable(message)).toEqual({ json: writerOf(WIRE)(message) });
  });

  it.each(["openai-chat", "openai-responses", "gemini"] as const)("finds none in %s", (wire) => {
    expect(markable(makeUser("First."), wire)).toEqual({ json: writerOf(wire)(makeUser("First.")) });
  });

  it("gives valid JSON with and without the mark for any message", () => {
    fc.assert(
      fc.property(anyMessages(), (messages) => {
        for (const message of messages.map(withoutMarks)) {
          const { json, markAt } = markable(message);
          const plain: JsonValue = JSON.parse(`[${writerOf(WIRE)(message)}]`);
          expect(JSON.parse(`[${json}]`)).toEqual(plain);
          if (markAt === undefined) continue;
          const [marked] = JSON.parse(`[${json.slice(0, markAt)}${MARK}${json.slice(markAt)}]`);
          expect(marked.content.at(-1).cache_control).toEqual({ type: "ephemeral" });
        }
      }),
    );
  });
});

describe("withoutMarks", () => {
  it("removes every mark and nothing else", () => {
    fc.assert(
      fc.property(anyMessages(), (messages) => {
        for (const message of messages) {
          const unmarked = withoutMarks(message);
          expect(marksIn(unmarked.blocks)).toEqual([]);
          expect(unmarked.blocks.map(({ type }) => type)).toEqual(message.blocks.map(({ type }) => type));
          if (marksIn(message.blocks).length === 0) expect(unmarked).toBe(message);
        }
      }),
    );
  });

  it("looks into tool results", () => {
    const marked = makeUser(makeToolResult("a", [makeText("Seen.", {}), makeImage()], { cache: { ttl: "1h" } }));
    expect(withoutMarks(marked)).toEqual(makeUser(makeToolResult("a", [makeText("Seen."), makeImage()])));
  });
});

describe("markFor", () => {
  const text = (content: string, ttl?: string) => ({
    type: "text",
    text: content,
    cache_control: { type: "ephemeral", ...(ttl && { ttl }) },
  });
  const plainly = { role: "user", content: "One." };
  const marked = (ttl?: string) => ({ role: "user", content: [text("Two.", ttl)] });
  const written: Part = { kind: "written", json: "{}", tokens: 1, markAt: 1 };
  const markOf = async (body: object, parts: readonly Part[], messages: number) => {
    const call = makeCall({ model: "m", max_tokens: 5, ...body }, { wire: WIRE });
    const history = await makeHistories(makeKnownMessages()).read(call, counter);
    return markFor(history, { messages, parts, prints: [], ratio: 1 });
  };
  const messages = [plainly, plainly, marked()];

  it("marks the end for a client that caches, while its own marks are kept", async () => {
    expect(await markOf({ messages }, [written], 2)).toBe(MARK);
    expect(await markOf({ messages: [plainly, plainly, marked("1h")] }, [written], 2)).toContain('"ttl":"1h"');
  });

  it("adds none for a client that does not cache", async () => {
    expect(await markOf({ messages: [plainly, plainly, plainly] }, [written], 2)).toBeUndefined();
  });

  it("replaces marks on messages that are no longer sent", async () => {
    expect(await markOf({ messages: [plainly, marked(), plainly] }, [written], 2)).toBe(MARK);
  });

  it.each([
    ["system", { system: [text("a"), text("b"), text("c")], messages }, undefined],
    ["system, with one left", { system: [text("a"), text("b")], messages }, MARK],
    ["tools", { tools: ["a", "b", "c"].map((name) => ({ ...text(""), name, input_schema: {} })), messages }, undefined],
    [
      "the request itself",
      { cache_control: { type: "ephemeral" }, system: [text("a"), text("b")], messages },
      undefined,
    ],
    ["messages", { messages: [plainly, marked(), marked(), marked(), marked()] }, undefined],
  ])("counts the marks on %s: four is the maximum", async (_, body, expected) => {
    const tools = "tools" in body ? { tools: body.tools.map(({ text: _text, type: _type, ...tool }) => tool) } : {};
    expect(await markOf({ ...body, ...tools }, [written], 1)).toBe(expected);
  });

  it("does not count marks on messages that are no longer sent", async () => {
    const all = [marked(), marked(), marked(), marked(), marked()];
    expect(await markOf({ messages: all }, [written], 4)).toBe(MARK);
    expect(await markOf({ messages: all }, [{ kind: "kept", from: 1, to: 4 }, written], 4)).toBeUndefined();
    expect(await markOf({ messages: all }, [{ kind: "kept", from: 2, to: 4 }, written], 4)).toBe(MARK);
  });
});

describe("marksFor", () => {
  const written = (raw?: number): Written => ({
    kind: "written",
    json: "{}",
    tokens: 1,
    markAt: 1,
    ...(raw !== undefined && { raw }),
  });
  const plainly = { role: "user", content: "One." };
  const marked = (ttl?: string) => {
    const cache_control = { type: "ephemeral", ...(ttl && { ttl }) };
    return { role: "user", content: [{ type: "text", text: "Two.", cache_control }] };
  };

  it("keeps the client's current marks and adds ours at the end", async () => {
    const parts = [written(0), written(1), written(2), written()];
    const call = makeCall({ model: "m", max_tokens: 5, messages: [plainly, marked(), marked("1h")] }, { wire: WIRE });
    const history = await makeHistories(makeKnownMessages()).read(call, counter);
    const markOf = marksFor(history, { messages: 3, parts, prints: [], ratio: 1 });
    expect(parts.map(markOf)).toEqual([
      undefined,
      MARK,
      expect.stringContaining('"ttl":"1h"'),
      expect.stringContaining("ephemeral"),
    ]);
  });

  it("adds none of ours before the end", async () => {
    const parts = [written(), written()];
    const call = makeCall({ model: "m", max_tokens: 5, messages: [plainly, plainly, marked()] }, { wire: WIRE });
    const history = await makeHistories(makeKnownMessages()).read(call, counter);
    expect(parts.map(marksFor(history, { messages: 2, parts, prints: [], ratio: 1 }))).toEqual([undefined, MARK]);
  });
});
