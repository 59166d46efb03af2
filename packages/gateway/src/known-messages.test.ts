import { codecOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { makeKnownMessages } from "./known-messages.ts";

const codec = codecOf("anthropic-messages");
const encode = (text: string) => new TextEncoder().encode(text);
const bodyOf = (...messages: string[]) => encode(`{"model":"m","messages":[${messages.join(",")}]}`);

describe("makeKnownMessages", () => {
  it("knows a message again, and one that is spelled differently as the same", () => {
    const known = makeKnownMessages();
    const first = known.lookUp(bodyOf('{"role":"user","content":"hi"}'), codec);
    const again = known.lookUp(
      bodyOf('{"role":"user","content":"hi"}', '{"content":[{"text":"hi","type":"text"}],"role":"user"}'),
      codec,
    );
    expect(again?.messages[0]).toBe(first?.messages[0]);
    expect(again?.messages[1]).toEqual(first?.messages[0]);
  });

  it("finds the same in a long history that grew, was met before or is new", () => {
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
      expect(known.lookUp(body, codec)).toEqual(makeKnownMessages().lookUp(body, codec));
    }
  });

  it("tells roles and tool calls", () => {
    const call = '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]}';
    const looked = makeKnownMessages().lookUp(bodyOf('{"role":"user","content":"hi"}', call), codec);
    expect(looked?.messages).toMatchObject([
      { role: "user", hasToolCalls: false },
      { role: "assistant", hasToolCalls: true },
    ]);
  });

  it("forgets what was not met for the longest time", () => {
    const known = makeKnownMessages(2);
    const message = (text: string) => `{"role":"user","content":"${text}"}`;
    const a = known.lookUp(bodyOf(message("a")), codec)?.messages[0];
    known.lookUp(bodyOf(message("b")), codec);
    expect(known.lookUp(bodyOf(message("a")), codec)?.messages[0]).toBe(a);
    known.lookUp(bodyOf(message("c"), message("d")), codec);
    expect(known.lookUp(bodyOf(message("a")), codec)?.messages[0]).not.toBe(a);
  });

  it.each(["{}", '{"messages":[{"role":}]}', '{"messages":[1],"messages":[]}'])("leaves %s to the parser", (text) => {
    expect(makeKnownMessages().lookUp(encode(text), codec)).toBeUndefined();
  });
});
