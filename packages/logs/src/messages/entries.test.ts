import { type Message, textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../reading/document.ts";
import { addItem, callPerReply, decodeEntries, openingLength, writeEntries, writeLines, writeList } from "./entries.ts";

describe("decodeEntries", () => {
  it("keeps decoded entries and warns about the others with their number", () => {
    const message = textMessage("user", "Hi.");
    const decoded = decodeEntries([{ ok: true }, 5, {}], (entry) => (entry.ok === true ? message : undefined));
    expect(decoded.entries).toEqual([{ line: 1, entry: { ok: true }, message }]);
    expect(decoded.warnings.map(({ line }) => line)).toEqual([2, 3]);
  });
});

describe("callPerReply", () => {
  it("returns a call per reply whose prompt is everything before it", () => {
    const messages = [textMessage("user", "1"), textMessage("assistant", "2"), textMessage("assistant", "3")];
    expect(callPerReply(messages, (reply) => ({ outcome: "finished", model: `m${reply}` }))).toEqual([
      { outcome: "finished", model: "m1", prompt: { from: 0, to: 1 }, reply: 1 },
      { outcome: "finished", model: "m2", prompt: { from: 0, to: 2 }, reply: 2 },
    ]);
  });
});

describe("openingLength", () => {
  it("counts leading system messages", () => {
    const entriesOf = (...roles: ("system" | "user")[]) =>
      roles.map((role, index) => ({ line: index + 1, entry: {}, message: textMessage(role, "Hi.") }));
    expect(openingLength(entriesOf("system", "system", "user", "system"))).toBe(2);
    expect(openingLength(entriesOf("system"))).toBe(1);
    expect(openingLength(entriesOf("user"))).toBe(0);
  });
});

const reply = (text: string) => textMessage("assistant", text);

describe("addItem", () => {
  it("joins consecutive items of one reply and nothing else", () => {
    const messages: Message[] = [];
    for (const item of [textMessage("user", "1"), textMessage("user", "2"), reply("3"), reply("4")])
      addItem(messages, item);
    addItem(messages, reply("5"), true);
    const texts = messages.map(({ blocks }) => blocks.map((block) => (block.type === "text" ? block.text : "")).join());
    expect(texts).toEqual(["1", "2", "3,4", "5"]);
  });
});

describe("writeEntries", () => {
  it("writes unchanged messages as received and encodes the others", () => {
    const value = { role: "user", content: "Hi.", name: "ann" };
    const kept = { ...textMessage("user", "Hi."), native: { wire: "anthropic-messages", value } };
    const messages = [kept, textMessage("assistant", "Hello.")];
    expect(writeEntries("anthropic-messages", { system: [], tools: [], messages })).toEqual([
      value,
      { role: "assistant", content: [{ type: "text", text: "Hello." }] },
    ]);
  });
});

describe("writeList", () => {
  it("replaces the document or its list field", () => {
    expect(JSON.parse(writeList(parseDocument("[1, 2]"), [3]))).toEqual([3]);
    expect(JSON.parse(writeList(parseDocument('{"model":"m","messages":[1]}'), [3]))).toEqual({
      model: "m",
      messages: [3],
    });
    expect(JSON.parse(writeList(parseDocument('{"contents":[1]}'), [3], "contents"))).toEqual({ contents: [3] });
  });
});

it("writes one object per line", () => {
  expect(writeLines([{ a: 1 }, { b: "\n" }])).toBe('{"a":1}\n{"b":"\\n"}\n');
});
