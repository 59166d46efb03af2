import { describe, expect, it } from "vitest";
import { CODECS } from "../codecs.ts";
import { isOwnEntry } from "./own-entry.ts";

const ENTRIES = {
  "openai-chat": { role: "tool", tool_call_id: "1", content: "done" },
  "openai-responses": { type: "function_call_output", call_id: "1", output: "done" },
  "anthropic-messages": { role: "user", content: [{ type: "tool_result", tool_use_id: "1" }] },
  gemini: { role: "user", parts: [{ text: "Hi." }] },
};

describe("isOwnEntry", () => {
  it.each(Object.entries(ENTRIES))("recognizes an entry of %s as that format's alone", (format, entry) => {
    expect(CODECS.filter((codec) => isOwnEntry(codec, entry)).map(({ id }) => id)).toEqual([format]);
  });

  it("recognizes no format in a plain text, which all have", () => {
    const entries = [
      { role: "user", content: "Hi." },
      { role: "user", content: [{ type: "text", text: "Hi." }] },
      "Hi.",
    ];
    expect(entries.flatMap((entry) => CODECS.filter((codec) => isOwnEntry(codec, entry)))).toEqual([]);
  });
});
