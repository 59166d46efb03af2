import { describe, expect, it } from "vitest";
import { decode } from "./decode.ts";

function callOf(body: string, wire = "anthropic-messages", extra: object = {}) {
  const endpoint = { wire, action: "generate", ...extra } as const;
  return decode({ id: "lh_1", endpoint, body: new TextEncoder().encode(body), headers: {}, method: "POST", query: "" });
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

  it("knows where the model's name stands", () => {
    const body = '{"x":1,"model":"abc","messages":[]}';
    const span = callOf(body).modelSpan();
    expect(body.slice(span?.from, span?.to)).toBe('"abc"');
  });

  it("takes the model and streaming from the path where the format says them there", () => {
    const call = callOf('{"contents":[],"model":"other"}', "anthropic-messages", { model: "from-path", stream: true });
    expect([call.model, call.wantsStream(), call.modelSpan()]).toEqual(["from-path", true, undefined]);
  });

  it.each([
    ['{"model":"a","input":"hi"}', "openai-responses"],
    ['{"model":"a","input":[{"role":"user","content":"hi"}],"reasoning":{}}', "openai-responses"],
    ['{"model":"a","messages":[],"input":"x"}', "openai-chat"],
    ['{"model":"a","messages":[{"input":1}]}', "openai-chat"],
  ])("takes %s on the chat endpoint for %s", (body, wire) => {
    expect(callOf(body, "openai-chat").codec.id).toBe(wire);
  });

  it("decodes the request when asked, once", () => {
    const call = callOf('{"model":"a","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}');
    expect(call.request()).toMatchObject({
      model: "a",
      maxOutputTokens: 5,
      conversation: { messages: [{ role: "user" }] },
    });
    expect(call.request()).toBe(call.request());
  });

  it.each([
    ["{", "not valid JSON"],
    ["null", "must be a JSON object"],
    ['{"model":7,"messages":[]}', "must name a model"],
  ])("refuses %s", (body, why) => {
    expect(() => callOf(body)).toThrow(
      expect.objectContaining({ code: "request.malformed", message: expect.stringContaining(why) }),
    );
  });
});
