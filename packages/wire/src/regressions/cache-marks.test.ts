import { describe, expect, it } from "vitest";
import type { WireDestination } from "../codec/rules.ts";
import { codecNamed, codecOf } from "../codecs.ts";

const anthropic = codecOf("anthropic-messages");
const MARK = { cache_control: { type: "ephemeral" } };
const marked = (text: string) => ({ role: "user", content: [{ type: "text", text, ...MARK }] });

const BODY = {
  model: "m",
  max_tokens: 9,
  system: [{ type: "text", text: "s", ...MARK }],
  tools: [{ name: "f", input_schema: { type: "object" }, ...MARK }],
  messages: [marked("a"), marked("b"), marked("c"), marked("d")],
};

function marksIn(body: unknown): number {
  return JSON.stringify(body).match(/cache_control|prompt_cache_breakpoint/g)?.length ?? 0;
}

function send(wire: string, destination: Partial<WireDestination> = {}) {
  return codecNamed(wire).encodeRequest(anthropic.decodeRequest(BODY), { model: "m", ...destination });
}

// More than four, on an empty text, or sent to servers that do not support them: each was a 400.
describe("cache marks", () => {
  it("never exceed Anthropic's limit, and the prompt's and the newest stay", () => {
    const { body } = send("anthropic-messages");
    expect(marksIn(body)).toBe(4);
    expect(marksIn([body.system, body.tools])).toBe(2);
    expect(Array.isArray(body.messages) && body.messages.map(marksIn)).toEqual([0, 0, 1, 1]);
  });

  it("are not sent on blank text", () => {
    const request = anthropic.decodeRequest({
      model: "m",
      max_tokens: 9,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Hi" },
            { type: "text", text: "", ...MARK },
          ],
        },
      ],
    });
    expect(marksIn(anthropic.encodeRequest(request, { model: "m" }).body)).toBe(0);
  });

  it("are not sent to servers that do not support them", () => {
    for (const wire of ["openai-chat", "openai-responses", "gemini"]) {
      const { body, warnings } = send(wire);
      expect(marksIn(body)).toBe(0);
      expect(warnings).toMatchObject([{ feature: "cache-mark", action: "dropped" }]);
    }
  });

  it("become OpenAI's breakpoints for servers that support those, and back", () => {
    for (const wire of ["openai-chat", "openai-responses"]) {
      const { body } = send(wire, { cacheMarks: "prompt_cache_breakpoint" });
      expect(JSON.stringify(body).match(/"prompt_cache_breakpoint":\{"mode":"explicit"\}/g)).toHaveLength(4);
      const back = anthropic.encodeRequest(codecNamed(wire).decodeRequest(body), { model: "m" });
      expect(JSON.stringify(back.body).match(/"cache_control":\{"type":"ephemeral"\}/g)).toHaveLength(4);
    }
  });
});
