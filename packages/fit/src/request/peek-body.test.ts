import { codecNamed } from "@longhaul/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeScannerCase, scannerFault, seededRandom } from "../testing/scanner-cases.ts";
import { findModelField, mentionsReasoning, peekStream } from "./peek-body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("findModelField", () => {
  it.each([
    ['{"model":"a","messages":[{"model":"b"}]}', '"a"'],
    ['{"model":"a","messages":[],"model":"b"}', '"b"'],
    ['{"model":"a","messages":[],"tools":[{"model":{"type":"string"}}],"x":1}', '"a"'],
    ['{"messages":[{"model":"b"}],"model":"a"}', '"a"'],
    ['{"model":"a","messages":[],"model":{"b":1}}', '{"b":1}'],
    ['{"model":"a","messages":[{"model":{"x":[1]}}],"tools":[{"model":"b"}]}', '"a"'],
  ])("finds it in %s", (text, found) => {
    const span = findModelField(bytes(text), "messages");
    expect(text.slice(span?.from, span?.to)).toBe(found);
  });

  it("reads only the name if it comes first", () => {
    const text = '{"model":"a","messages":[{"role":oops}';
    expect(findModelField(bytes(text), "messages")).toEqual({ from: 9, to: 12 });
  });
});

describe("peekStream", () => {
  it.each([
    ['{"messages":[],"stream":true}', true],
    ['{"messages":[],"stream" : false }\n', false],
    ['{"stream":true,"messages":[]}', true],
    ['{"stream":true,"messages":[],"stream":false}', false],
    ['{"messages":[],"stream":true,"max_tokens":1}', true],
    ['{"messages":[{"stream":true}]}', false],
    ['{"messages":[],"x":{"stream":true}}', false],
    ['{"messages":["\\"stream\\":true}"]}', false],
    ['{"messages":[]}', false],
    ['{"messages":[{"role":oops}]}', false],
    ['{"stream":true,"messages":[],"tools":[{"stream":{"type":"boolean"}}]}', true],
  ])("reads %s", (text, stream) => {
    expect(peekStream(bytes(text), "messages")).toBe(stream);
  });

  it.each([
    '{"messages":[],"a\\"stream":true}',
    '{"messages":[],"str\\u0065am":true}',
    '{"messages":[],"stream":true,"stream":false,"x":1}',
    '{"stream":true,"stream":["model"],"model":"a"}',
    `{"messages":[],"${"x".repeat(45)}\\"stream":true}`,
  ])("leaves %s to the parser", (text) => {
    expect(peekStream(bytes(text), "messages")).toBeUndefined();
  });
});

it("reads model and stream like a parser, for every duplicate, order, escape and nesting", () => {
  const random = seededRandom(19);
  for (let count = 0; count < 20_000; count++) {
    const text = makeScannerCase(random);
    expect([text, scannerFault(text)]).toEqual([text, undefined]);
  }
});

const NAMES = {
  "anthropic-messages": ["thinking", "output_config"],
  "openai-chat": ["reasoning", "reasoning_effort"],
  "openai-responses": ["reasoning"],
  gemini: ["generationConfig", "generation_config"],
};

/** No escapes, which only a parser reads with certainty. */
const IS_PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;

const mentions = (wire: string, body: string) => mentionsReasoning(Buffer.from(body), codecNamed(wire));

it.each(Object.entries(NAMES))("finds the fields of %s, whatever else a body has", (wire, names) => {
  const key = fc.oneof(fc.constantFrom(...Object.values(NAMES).flat()), fc.string({ maxLength: 12 }));
  const bodies = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 });
  const { messagesField } = codecNamed(wire);
  fc.assert(
    fc.property(bodies, fc.boolean(), (fields, isFirst) => {
      const messages = { [messagesField]: [{ role: "user", content: "thinking, reasoning" }] };
      const body = JSON.stringify(isFirst ? { ...messages, ...fields } : { ...fields, ...messages });
      const isThere = names.some((name) => Object.hasOwn(fields, name));
      if (isThere) expect(mentions(wire, body)).toBe(true);
      else if (IS_PLAIN.test(body)) expect(mentions(wire, body)).toBe(false);
    }),
  );
});

it.each([
  ["openai-chat", '{"messages":[{"role":"assistant","content":"","reasoning_content":"Hm."}]}', false],
  ["openai-chat", '{"messages":[],"metadata":{"reasoning":"x"}}', false],
  ["openai-chat", '{"messages":[],"reasoning_effort":"high"}', true],
  ["anthropic-messages", '{"messages":[{"content":[{"type":"thinking","thinking":"Hm."}]}]}', false],
  ["anthropic-messages", '{"messages":[],"reasoning_effort":"high"}', false],
  ["openai-chat", '{"messages":[],"messages":[],"x":"reasoning"}', true],
  ["openai-chat", '{"messages":[],"\\u0072easoning_effort":"high"}', false],
])("looks only at the fields of a body: %s %s", (wire, body, isThere) => {
  expect(mentions(wire, body)).toBe(isThere);
});
