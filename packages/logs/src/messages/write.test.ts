import { textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../reading/document.ts";
import { writeEntries, writeLines, writeList } from "./write.ts";

describe("writeEntries", () => {
  it("writes what nobody changed as it came, and the rest in the format's words", () => {
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
  it("puts a list in the place of the document or of its field", () => {
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
