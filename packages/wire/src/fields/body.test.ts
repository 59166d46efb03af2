import { describe, expect, it } from "vitest";
import { type BodyLayout, decodeFields, encodeFields } from "./body.ts";
import { isNumber, isString, plainSetting } from "./settings.ts";

const LAYOUT: BodyLayout = {
  wire: "openai-chat",
  settings: [plainSetting("model", "model", isString), plainSetting("temperature", "config.temperature", isNumber)],
  opened: ["config"],
  conversation: ["messages"],
};
const BODY = { model: "m", config: { temperature: 0.5, shade: "warm" }, messages: [1], tier: "auto" };
const CONVERSATION = { system: [], tools: [], messages: [] };

describe("decodeFields and encodeFields", () => {
  it("read all but the conversation, and write it back", () => {
    const fields = decodeFields(BODY, LAYOUT);
    expect(fields).toEqual({
      model: "m",
      stream: false,
      sampling: { temperature: 0.5 },
      native: { wire: "openai-chat", value: BODY },
      extra: { config: { shade: "warm" }, tier: "auto" },
    });
    const { messages: _, ...rest } = BODY;
    expect(encodeFields({ ...fields, conversation: CONVERSATION }, LAYOUT, { model: "m" })).toEqual(rest);
  });

  it("write no fields that came from another format", () => {
    const request = {
      ...decodeFields(BODY, LAYOUT),
      conversation: CONVERSATION,
      native: { wire: "other", value: BODY },
    };
    expect(encodeFields(request, LAYOUT, { model: "m" })).toEqual({ model: "m", config: { temperature: 0.5 } });
  });

  it("have no extra where everything is known", () => {
    expect(decodeFields({ model: "m", messages: [] }, LAYOUT)).not.toHaveProperty("extra");
  });
});
