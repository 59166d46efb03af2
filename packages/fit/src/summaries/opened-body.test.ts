import { codecOf } from "@longhaul/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendText, containsInOrder, openBody } from "./opened-body.ts";

const codec = codecOf("anthropic-messages");
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const open = (text: string) => openBody(bytesOf(text), codec)!;

describe("openBody", () => {
  it("reads all fields, and only the last of the messages", () => {
    const body = open(
      '{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"stream":true}',
    );
    expect(body.fields).toEqual({ model: "m", stream: true });
    expect(body.request).toMatchObject({ model: "m", stream: true });
    expect(body.lastMessage).toMatchObject({ role: "assistant", blocks: [{ type: "text", text: "b" }] });
  });

  it.each([
    ["no messages", '{"model":"m","messages":[]}'],
    ["no list of messages", '{"model":"m","messages":"hi"}'],
    ["a message that is none", '{"model":"m","messages":[1]}'],
    ["a field that does not parse", '{"model":m,"messages":[{"role":"user","content":"a"}]}'],
    ["no JSON", "hello"],
  ])("rejects a body with %s", (_, text) => {
    expect(openBody(bytesOf(text), codec)).toBeUndefined();
  });
});

describe("appendText", () => {
  it("adds one message after the last and keeps every other byte", () => {
    const text = ' { "messages" : [ {"role":"user","content":"a"}\n ] ,\t"model":"m" }';
    expect(textOf(appendText(open(text), "Now?", { model: "m" }))).toBe(
      ' { "messages" : [ {"role":"user","content":"a"},{"role":"user","content":[{"type":"text","text":"Now?"}]}\n ] ,\t"model":"m" }',
    );
  });

  it("works with any spelling of a body", () => {
    const said = fc.record({
      role: fc.constantFrom("user", "assistant"),
      content: fc.string({ minLength: 1, unit: "binary" }),
    });
    const any = fc.tuple(fc.array(said, { minLength: 1 }), fc.constantFrom(0, 1, 2), fc.string({ minLength: 1 }));
    fc.assert(
      fc.property(any, ([messages, indent, text]) => {
        const body = JSON.stringify({ model: "m", messages, top: [1] }, null, indent);
        const appended = textOf(appendText(open(body), text, { model: "m" }));
        expect(appended.startsWith(body.slice(0, body.lastIndexOf("}", body.lastIndexOf("top")) + 1))).toBe(true);
        expect(JSON.parse(appended).messages.slice(0, -1)).toEqual(messages);
      }),
    );
  });
});

describe("containsInOrder", () => {
  const said = 'line "one"\nzwei – drei 🚀';
  const body = { model: "m", messages: [{ role: "user", content: said }] };
  const plain = open(JSON.stringify(body));
  const ascii = open(
    JSON.stringify(body).replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );

  it("finds texts in any escaping", () => {
    expect([plain, ascii].map((opened) => containsInOrder(opened, ['"one"\nzwei', "drei 🚀"]))).toEqual([true, true]);
  });

  it("requires them in order", () => {
    expect(containsInOrder(plain, ["drei 🚀", '"one"'])).toBe(false);
  });

  it("returns false for absent texts", () => {
    expect(containsInOrder(plain, ["vier"])).toBe(false);
  });
});
