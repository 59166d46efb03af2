import type { WireId } from "@longhaul/conversation";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { makeOwner } from "../testing/index.ts";
import { decode, peekModel } from "./decode.ts";

function callOf(body: string, wire: WireId = "anthropic-messages", extra: object = {}) {
  const endpoint = { wire, action: "generate", method: "POST", ...extra } as const;
  return decode({
    id: "lh_1",
    endpoint,
    body: new TextEncoder().encode(body),
    headers: {},
    query: "",
    caller: makeOwner(),
  });
}

describe("decode", () => {
  it.each([
    ['{"model":"a","stream":true,"messages":[]}', "a", true],
    ['{"messages":[],"stream":false,"model":"a"}', "a", false],
    ['{"messages":[{"content":"\\"model\\":\\"b\\""}],"model":"a"}', "a", false],
    ['{"model":"first","messages":[],"max_tokens":1,"stream":true}', "first", true],
  ])("reads model and stream of %s", (body, model, stream) => {
    const call = callOf(body);
    expect([call.model, call.wantsStream()]).toEqual([model, stream]);
  });

  it.each([
    ['{"model":"a","model":"b","messages":[]}', "b"],
    ['{"model":"a","messages":[],"model":"b"}', "b"],
    ['{"model":"a","messages":[],"model"\n:\t"b"}', "b"],
    ['{"model":"a","messages":[],"mod\\u0065l":"b"}', "b"],
    ['{"model":"a","messages":[{"model":"b"}],"tools":[{"model":{"x":1}}]}', "a"],
    ['{"model":"a","messages":["the model", "model"],"tools":["\\u006dodel"]}', "a"],
    ['{"messages":[],"model":"a","model":"b"}', "b"],
    [`{"model":"a","messages":[],"model"${" ".repeat(30)}:"b"}`, "b"],
  ])("uses the same model of %s as a parser", (body, model) => {
    const call = callOf(body);
    expect([call.model, JSON.parse(body).model]).toEqual([model, model]);
    const span = call.modelSpan();
    if (span !== undefined) expect(JSON.parse(body.slice(span.from, span.to))).toBe(model);
  });

  it("agrees with JSON.parse on model and stream in any order and number", () => {
    const anyName = fc.constantFrom('"model"', '"model" ', '"mod\\u0065l"', '"stream"', '"str\\u0065am"', '"x"');
    const anyValue = fc.constantFrom(
      '"a"',
      '"b"',
      "true",
      "false",
      '{"model":"c"}',
      '["model"]',
      '"say \\"model\\":1"',
    );
    const anyFields = fc.array(fc.tuple(anyName, anyValue), { maxLength: 5 });
    fc.assert(
      fc.property(anyFields, anyFields, (before, after) => {
        const fields = [...before, ['"messages"', "[]"], ...after].map(([name, value]) => `${name}:${value}`);
        const body = `{${fields.join(",")}}`;
        const { model, stream } = JSON.parse(body);
        // An object is never a model's name; the upstream rejects it as well as we do.
        fc.pre(typeof model !== "object");
        const read = () => [callOf(body).model, callOf(body).wantsStream()];
        if (typeof model === "string") expect(read()).toEqual([model, stream === true]);
        else expect(read).toThrow("model: must be a non-empty string");
      }),
    );
  });

  it("returns the position of the model's name", () => {
    const body = '{"x":1,"model":"abc","messages":[]}';
    const span = callOf(body).modelSpan();
    expect(body.slice(span?.from, span?.to)).toBe('"abc"');
  });

  it("takes model and streaming from the path if the format has them there", () => {
    const call = callOf('{"contents":[],"model":"other"}', "anthropic-messages", { model: "from-path", stream: true });
    expect([call.model, call.wantsStream(), call.modelSpan()]).toEqual(["from-path", true, undefined]);
  });

  it.each([
    ['{"model":"a","input":"hi"}', "openai-responses"],
    ['{"model":"a","input":[{"role":"user","content":"hi"}],"reasoning":{}}', "openai-responses"],
    ['{"model":"a","messages":[],"input":"x"}', "openai-chat"],
    ['{"model":"a","messages":[{"input":1}]}', "openai-chat"],
  ])("decodes %s on the chat endpoint as %s", (body, wire) => {
    expect(callOf(body, "openai-chat").codec.id).toBe(wire);
  });

  it("decodes the request once, on demand", () => {
    const call = callOf('{"model":"a","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}');
    expect(call.request()).toMatchObject({
      model: "a",
      maxOutputTokens: 5,
      conversation: { messages: [{ role: "user" }] },
    });
    expect(call.request()).toBe(call.request());
  });

  it("does not quote unreadable text", () => {
    expect(() => callOf('{"model":hush-hush}')).toThrow(/^the body is not valid JSON: Unexpected token 'h'$/);
    expect(() => callOf(`{"a":"${"x".repeat(60)}",hush}`)).not.toThrow(/hush/);
  });

  it.each([
    ["{", "not valid JSON"],
    ["null", "must be a JSON object"],
    ['{"model":7,"messages":[]}', "model: must be a non-empty string"],
  ])("refuses %s", (body, why) => {
    expect(() => callOf(body)).toThrow(
      expect.objectContaining({ code: "request.malformed", message: expect.stringContaining(why) }),
    );
  });
});

describe("peekModel", () => {
  it("finds the model's name and its position in any JSON object", () => {
    const body = '{"input":["model"], "model" : "m" }';
    const found = peekModel(new TextEncoder().encode(body));
    expect([found?.model, body.slice(found?.span.from, found?.span.to)]).toEqual(["m", '"m"']);
  });

  it("returns the last of several", () => {
    const body = '{"model":"a","input":[],"model":"b"}';
    const found = peekModel(new TextEncoder().encode(body));
    expect([found?.model, found?.span.from]).toEqual(["b", body.indexOf('"b"')]);
  });

  it.each(["", "--boundary", '{"input":"x"}', '{"model":7}', "[]"])("finds none in %s", (body) => {
    expect(peekModel(new TextEncoder().encode(body))).toBeUndefined();
  });
});

it("decodes a large request while it is prepared, so that nothing is left to do at once", async () => {
  const messages = Array.from({ length: 25_000 }, () => ({ role: "user", content: "hi" }));
  const call = callOf(JSON.stringify({ model: "m", max_tokens: 9, messages }));
  await call.prepare();
  const atOnce = vi.spyOn(call.codec, "decodeRequest");
  expect(call.request().conversation.messages).toHaveLength(25_000);
  expect(atOnce).not.toHaveBeenCalled();
  atOnce.mockRestore();
});
