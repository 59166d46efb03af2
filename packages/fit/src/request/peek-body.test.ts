import { describe, expect, it } from "vitest";
import { makeScannerCase, scannerFault, seededRandom } from "../testing/scanner-cases.ts";
import { findModelField, peekStream } from "./peek-body.ts";

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

  it("looks at nothing but the name where it stands first", () => {
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

it("reads model and stream as a parser does, for every duplicate, order, escape and nesting", () => {
  const random = seededRandom(19);
  for (let count = 0; count < 20_000; count++) {
    const text = makeScannerCase(random);
    expect([text, scannerFault(text)]).toEqual([text, undefined]);
  }
});
