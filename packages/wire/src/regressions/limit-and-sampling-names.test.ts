import { describe, expect, it } from "vitest";
import type { WireDestination } from "../codec/rules.ts";
import { codecNamed, codecOf } from "../codecs.ts";

const BODY = {
  model: "client-model",
  max_tokens: 100,
  temperature: 0.2,
  top_p: 0.9,
  messages: [{ role: "user", content: "Hi" }],
};

function send(wire: string, destination: WireDestination) {
  return codecNamed(wire).encodeRequest(codecOf("openai-chat").decodeRequest(BODY), destination);
}

// "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
describe("the output limit", () => {
  it("uses the destination's field", () => {
    expect(send("openai-chat", { model: "o4", maxTokensField: "max_completion_tokens" }).body).toMatchObject({
      max_completion_tokens: 100,
    });
    expect(send("openai-chat", { model: "o4", maxTokensField: "max_completion_tokens" }).body).not.toHaveProperty(
      "max_tokens",
    );
    expect(send("openai-chat", { model: "local", maxTokensField: "max_tokens" }).body).toMatchObject({
      max_tokens: 100,
    });
    expect(send("openai-responses", { model: "o4" }).body).toMatchObject({ max_output_tokens: 100 });
    expect(send("anthropic-messages", { model: "claude" }).body).toMatchObject({ max_tokens: 100 });
    expect(send("gemini", { model: "gemini" }).body).toMatchObject({ generationConfig: { maxOutputTokens: 100 } });
  });

  it("is lowered to the model's limit", () => {
    const { body, warnings } = send("anthropic-messages", { model: "claude", maxOutputTokens: 64 });
    expect(body.max_tokens).toBe(64);
    expect(warnings).toMatchObject([{ feature: "maxOutputTokens", action: "changed" }]);
  });
});

describe("sampling parameters that a model rejects", () => {
  it.each(["anthropic-messages", "openai-chat", "openai-responses", "gemini"])(
    "are dropped for %s, with a warning for each",
    (wire) => {
      const { body, warnings } = send(wire, { model: "m", rejects: ["temperature", "topP"] });
      expect(JSON.stringify(body)).not.toMatch(/temperature|top_?p/i);
      expect(warnings.map(({ feature }) => feature)).toEqual(["sampling.temperature", "sampling.topP"]);
    },
  );
});
