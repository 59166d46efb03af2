import { describe, expect, it } from "vitest";
import { parseDocument } from "../../reading/document.ts";
import { promptMessages } from "../../reading/reading.ts";
import { saidBy } from "../../testing/script.ts";
import { roo } from "./roo.ts";

const ENVIRONMENT = "<environment_details>\n# Current Mode\n<slug>code</slug>\n</environment_details>";

function read(log: string) {
  return roo.read(parseDocument(log))!;
}

describe("roo", () => {
  it("leaves tools that are XML inside text as they are, and the client's notes out of the messages", () => {
    const call = "I read it.\n\n<read_file>\n<path>a.ts</path>\n</read_file>";
    const history = [
      {
        role: "user",
        content: [
          { type: "text", text: "<task>\nRead a.\n</task>" },
          { type: "text", text: ENVIRONMENT },
        ],
        ts: 1,
      },
      { role: "assistant", content: [{ type: "text", text: call }], ts: 2 },
      {
        role: "user",
        content: [
          { type: "text", text: "[read_file for 'a.ts'] Result:" },
          { type: "text", text: "A" },
        ],
        ts: 3,
      },
    ];
    const { conversation } = read(JSON.stringify(history));
    expect(saidBy(conversation.messages)).toEqual([
      ["user", "text", "<task>\nRead a.\n</task>"],
      ["user", "text", ENVIRONMENT],
      ["assistant", "text", call],
      ["user", "text", "[read_file for 'a.ts'] Result:"],
      ["user", "text", "A"],
    ]);
    expect(conversation.messages[1]?.native).toEqual({
      wire: "anthropic-messages",
      value: { role: "assistant", content: [{ type: "text", text: call }] },
    });
    expect(conversation.messages[1]).not.toHaveProperty("extra");
  });

  it("keeps what condensing hid and tells what was sent after it", () => {
    const history = [
      { role: "user", content: "One.", ts: 1, condenseParent: "x" },
      { role: "assistant", content: "Two.", ts: 2, condenseParent: "x" },
      { role: "user", content: "We counted.", ts: 3, isSummary: true, condenseId: "x" },
      { role: "user", content: "Three?", ts: 4 },
      { role: "assistant", content: "Three.", ts: 5 },
    ];
    const reading = read(JSON.stringify(history));
    expect(reading.conversation.messages).toHaveLength(4);
    expect(reading.events).toEqual([{ kind: "compaction", line: 3, at: 2, keptFrom: 2, summary: "We counted." }]);
    expect(saidBy(promptMessages(reading, reading.calls[1]!))).toEqual([
      ["user", "text", "We counted."],
      ["user", "text", "Three?"],
    ]);
  });

  it("reads the system prompt that Cline keeps", () => {
    const file = { version: 1, system_prompt: "Be brief.", messages: [{ role: "user", content: [], ts: 1 }] };
    expect(read(JSON.stringify(file)).conversation.system).toMatchObject([{ type: "text", text: "Be brief." }]);
  });
});
