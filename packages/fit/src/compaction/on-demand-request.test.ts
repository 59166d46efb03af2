import { describe, expect, it } from "vitest";
import { COMPACTION_INSTRUCTIONS } from "./instructions.ts";
import { summarizeRequest, triggerRequest } from "./on-demand-request.ts";

const model = { maxOutput: 64_000 };
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

describe("summarizeRequest", () => {
  it("keeps the bytes of model, system, tools and messages, and asks for a summary instead of an answer", () => {
    const sent =
      '{ "context_management":{"edits":[]}, "model":"m","stream" : true, "system":[ "é" ],"messages":[ {"a":1} ], "max_tokens":100,"tools":[]}';
    const asked = JSON.stringify({ type: "summarize", instructions: COMPACTION_INSTRUCTIONS });
    expect(text(summarizeRequest(Buffer.from(sent), { model }))).toBe(
      `{"model":"m","stream":false,"system":[ "é" ],"messages":[ {"a":1} ],"max_tokens":8192,"tools":[],"compaction":${asked}}`,
    );
  });

  it.each([
    [100, 8_192],
    [20_000, 20_000],
    [100_000, 64_000],
  ])("of %i tokens for the answer makes %i for the summary", (max_tokens, expected) => {
    const sent = Buffer.from(JSON.stringify({ max_tokens, messages: [{}] }));
    expect(JSON.parse(text(summarizeRequest(sent, { model })))).toMatchObject({ max_tokens: expected });
  });

  const marked = (marks: number) => Array.from({ length: marks }, () => ({ cache_control: { type: "ephemeral" } }));

  it.each([
    ["nothing is marked", { messages: [{ text: '"cache_control"' }] }, undefined],
    ["the client marks its messages", { messages: marked(3) }, { type: "ephemeral" }],
    ["there are as many marks as there may be", { messages: marked(4) }, undefined],
    ["the vendor sets the mark", { messages: [{}], cache_control: { ttl: "1h" } }, { ttl: "1h" }],
  ])("marks the end of the messages as cached, or not, where %s", (_, sent, expected) => {
    const asked = summarizeRequest(Buffer.from(JSON.stringify(sent)), { model });
    expect(JSON.parse(text(asked)).cache_control).toEqual(expected);
  });

  it("says what it is told to say", () => {
    const asked = summarizeRequest(Buffer.from('{"messages":[{}]}'), { model, instructions: "Be brief." });
    expect(JSON.parse(text(asked)).compaction).toEqual({ type: "summarize", instructions: "Be brief." });
  });
});

describe("triggerRequest", () => {
  it("adds the trigger behind the last item", () => {
    const sent = '{"model":"m","input":[ {"a":1} , {"b":2} ],"stream":true,"stream_options":{},"instructions":"s"}';
    expect(text(triggerRequest(Buffer.from(sent), { model }))).toBe(
      '{"model":"m","input":[{"a":1} , {"b":2},{"type":"compaction_trigger"}],"stream":false,"instructions":"s"}',
    );
  });

  it("leaves room for the summary where the answer was limited", () => {
    const sent = Buffer.from('{"input":[{}],"max_output_tokens":16}');
    expect(JSON.parse(text(triggerRequest(sent, { model })))).toMatchObject({ max_output_tokens: 8_192 });
  });
});

it.each(["", "[]", '{"model":"m"}', '{"messages":[],"input":[]}', '{"messages":"x","input":"x"}'])(
  "gives nothing for %j",
  (sent) => {
    expect(summarizeRequest(Buffer.from(sent), { model })).toBeUndefined();
    expect(triggerRequest(Buffer.from(sent), { model })).toBeUndefined();
  },
);
