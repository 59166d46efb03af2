import { textMessage } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sealSummary, summaryIn, withReadableSummaries } from "./sealed-summary.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => new TextDecoder().decode(withReadableSummaries(bytesOf(text)));
const itemOf = (text: string) => ({ type: "compaction", id: "cmp_1", encrypted_content: sealSummary(text) });
const messageOf = (text: string) => ({
  type: "message",
  role: "user",
  content: [
    {
      type: "input_text",
      text: `Summary of the conversation so far:\n\n${text}\n\n(End of the summary. Continue the work from here.)`,
    },
  ],
});

describe("withReadableSummaries", () => {
  it("turns our summaries into messages and keeps every other byte", () => {
    const body = `{ "temperature":1.0, "input" : [ {"role":"user","content":"a"} , ${JSON.stringify(itemOf("Été."))}, {"1":1.0}] }`;
    expect(read(body)).toBe(body.replace(JSON.stringify(itemOf("Été.")), JSON.stringify(messageOf("Été."))));
  });

  it.each([
    ["what a vendor has sealed", { type: "compaction", encrypted_content: "gAAAA" }],
    ["a user who quotes one", { role: "user", content: sealSummary("Hello.") }],
    ["a seal in another item", { type: "reasoning", summary: [], encrypted_content: sealSummary("Hello.") }],
  ])("leaves %s unchanged", (_, item) => {
    const body = bytesOf(JSON.stringify({ model: "m", input: [item] }));
    expect(withReadableSummaries(body)).toBe(body);
  });

  it.each([`{"input":[${sealSummary("a")}`, `"${sealSummary("a")}"`, `{"input":"${sealSummary("a")}"}`])(
    "leaves %s to the parser",
    (body) => {
      expect(read(body)).toBe(body);
    },
  );

  it("gives the same result if the items cannot be located in the bytes", () => {
    const body = JSON.stringify({ model: "m", input: [itemOf("a"), { role: "user", content: "b" }] });
    const repeated = body.replace('"model":"m"', '"\\u006dodel":"m","model":"m","model":"m"');
    expect(JSON.parse(read(repeated))).toEqual(JSON.parse(read(body)));
  });

  it("returns any sealed text, written in base64", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(sealSummary(text)).toMatch(/^[\w+/=]+$/);
        const body = JSON.parse(read(JSON.stringify({ model: "m", input: [itemOf(text)] })));
        expect(body.input).toEqual([messageOf(text)]);
        const [message] = codecOf("openai-responses").decodeRequest(body).conversation.messages;
        expect(message && summaryIn(message)).toBe(text);
      }),
    );
  });
});

it("finds no summary in a user's message", () => {
  expect(summaryIn(textMessage("user", "Summary of the conversation"))).toBeUndefined();
  expect(summaryIn(textMessage("assistant", "Summary of the conversation so far:\n\nx"))).toBeUndefined();
});
