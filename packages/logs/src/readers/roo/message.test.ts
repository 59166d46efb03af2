import { describe, expect, it } from "vitest";
import { decodeMessage } from "./message.ts";

describe("decodeMessage", () => {
  it("puts reasoning that stands beside a reply before it", () => {
    const entry = { role: "assistant", content: "Hi.", reasoning_content: "Hm." };
    const message = decodeMessage(entry);
    expect(message?.blocks).toMatchObject([
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Hi." },
    ]);
    expect(message).not.toHaveProperty("native");
  });

  it("reads reasoning that is an entry of its own", () => {
    const entry = {
      type: "reasoning",
      id: "rs_1",
      encrypted_content: "e",
      summary: [{ text: "One." }, 5, { text: "Two." }],
    };
    expect(decodeMessage(entry)).toEqual({
      role: "assistant",
      blocks: [{ type: "thinking", text: "One.\nTwo.", signature: "e", id: "rs_1", vendor: "openai" }],
    });
    expect(decodeMessage({ type: "reasoning", text: "Hm." })?.blocks).toMatchObject([{ text: "Hm." }]);
  });

  it.each([{ role: "user" }, { content: "Hi." }, { role: "user", content: 5, reasoning_content: "Hm." }])(
    "can't read %j",
    (entry) => {
      expect(decodeMessage(entry)).toBeUndefined();
    },
  );
});
