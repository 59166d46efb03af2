import { textMessage } from "@longhaul/conversation";
import { openLog } from "@longhaul/logs";
import { describe, expect, it } from "vitest";
import { spellMessages } from "./condensed-messages.ts";
import { openModels } from "./session-model.ts";

const { modelOf } = openModels();
const messages = [textMessage("user", "Hello.")];

async function spell(text: string) {
  const opened = openLog(text);
  return spellMessages(opened, { ...opened.reading.conversation, messages }, await modelOf(opened.reading));
}

describe("spellMessages", () => {
  it.each([
    ['[{"role":"user","content":"Hi."}]', [{ role: "user", content: [{ type: "text", text: "Hello." }] }]],
    ['{"input":"Hi."}', [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hello." }] }]],
    ['{"contents":[{"parts":[{"text":"Hi."}]}]}', [{ role: "user", parts: [{ text: "Hello." }] }]],
    ['{"history":[{"parts":[{"text":"Hi."}]}]}', [{ role: "user", parts: [{ text: "Hello." }] }]],
  ])("spells the messages of %s in its own format", async (text, expected) => {
    expect(await spell(text)).toEqual({ messages: expected, warnings: [] });
  });

  it("spells those of a log as Anthropic messages, the system prompt beside them", async () => {
    const session = { type: "session_meta", payload: { id: "s", base_instructions: { text: "Be brief." } } };
    const item = { type: "response_item", payload: { role: "user", content: "Hi." } };
    const spelled = await spell(`${JSON.stringify(session)}\n${JSON.stringify(item)}`);
    expect(spelled.messages).toEqual([{ role: "user", content: [{ type: "text", text: "Hello." }] }]);
    expect(JSON.stringify(spelled.system)).toContain("Be brief.");
  });
});
