import { type JsonObject, textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { DecodedEntry } from "../messages/entries.ts";
import { parseDocument } from "../reading/document.ts";
import { promptMessages } from "../reading/reading.ts";
import { messageBlocks } from "../testing/script.ts";
import { callRecord, decodeMessage, roo, transcribe } from "./roo.ts";

const ENVIRONMENT = "<environment_details>\n# Current Mode\n<slug>code</slug>\n</environment_details>";

function read(log: string) {
  return roo.read(parseDocument(log))!;
}

describe("roo", () => {
  it("keeps tools written as XML text and removes the client's metadata from messages", () => {
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
    expect(messageBlocks(conversation.messages)).toEqual([
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

  it("keeps condensed messages and reconstructs later prompts", () => {
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
    expect(messageBlocks(promptMessages(reading, reading.calls[1]!))).toEqual([
      ["user", "text", "We counted."],
      ["user", "text", "Three?"],
    ]);
  });

  it("reads Cline's system prompt", () => {
    const file = { version: 1, system_prompt: "Be brief.", messages: [{ role: "user", content: [], ts: 1 }] };
    expect(read(JSON.stringify(file)).conversation.system).toMatchObject([{ type: "text", text: "Be brief." }]);
  });
});

function makeEntries(...entries: readonly JsonObject[]): DecodedEntry[] {
  return entries.map((entry, index) => ({ line: index + 1, entry, message: decodeMessage(entry)! }));
}

const user = (content: string, fields: JsonObject = {}) => ({ role: "user", content, ...fields });
const reply = (content: string, fields: JsonObject = {}) => ({ role: "assistant", content, ...fields });

describe("transcribe", () => {
  it("keeps the first message before the summary", () => {
    const { messages, calls, compactions } = transcribe(
      makeEntries(
        user("Task."),
        reply("One.", { condenseParent: "x" }),
        user("Two.", { condenseParent: "x" }),
        reply("So far.", { isSummary: true, condenseId: "x" }),
        user("Three."),
        reply("Four."),
      ),
    );
    expect(messages).toHaveLength(5);
    expect(compactions).toMatchObject([{ line: 4, at: 3, keptFrom: 3, summary: "So far." }]);
    expect(calls[1]?.prompt).toMatchObject({ head: 1, from: 3, to: 4, summary: { role: "assistant" } });
  });

  it("reads a truncation marker as a compaction", () => {
    const { compactions, calls } = transcribe(
      makeEntries(
        user("Task."),
        reply("One.", { truncationParent: "t" }),
        user("[hidden]", { isTruncationMarker: true, truncationId: "t" }),
        user("Two."),
        reply("Three."),
      ),
    );
    expect(compactions).toMatchObject([{ summary: "[hidden]", at: 2, keptFrom: 2 }]);
    expect(calls[1]?.prompt).toMatchObject({ head: 1, from: 2, to: 3 });
  });

  it("keeps messages hidden after a second compaction", () => {
    const { calls } = transcribe(
      makeEntries(
        user("Task.", { condenseParent: "x" }),
        user("So far.", { isSummary: true, condenseId: "x", condenseParent: "y" }),
        reply("One.", { condenseParent: "y" }),
        user("So further.", { isSummary: true, condenseId: "y" }),
        reply("Two."),
      ),
    );
    expect(calls.map(({ prompt }) => [prompt.head, prompt.from, prompt.to])).toEqual([
      [undefined, 1, 1],
      [undefined, 2, 2],
    ]);
  });

  it("keeps a summary as a message if the messages it replaced are missing", () => {
    const { messages, compactions } = transcribe(makeEntries(user("Task."), reply("So far.", { isSummary: true })));
    expect(messages).toHaveLength(2);
    expect(messages.map(({ extra }) => extra)).toEqual([undefined, { isSummary: true }]);
    expect(compactions).toEqual([]);
  });

  it("keeps the mark of a summary with reasoning", () => {
    const { messages } = transcribe(
      makeEntries(
        user("Task."),
        { type: "reasoning", text: "Hm." },
        reply("So far.", { isSummary: true, reasoning_content: "I sum up." }),
      ),
    );
    expect(messages[1]).toMatchObject({
      blocks: [{ text: "Hm." }, { text: "I sum up." }, { text: "So far." }],
      extra: { isSummary: true },
    });
  });

  it("includes messages in prompts before they were hidden", () => {
    const { calls } = transcribe(
      makeEntries(
        user("Task.", { condenseParent: "x" }),
        reply("One.", { condenseParent: "x" }),
        user("So far.", { isSummary: true, condenseId: "x" }),
      ),
    );
    expect(calls[0]?.prompt).toEqual({ from: 0, to: 1 });
  });

  it("joins reasoning with the next reply, or keeps it without one", () => {
    const reasoning = { type: "reasoning", text: "Hm." };
    const { messages, calls } = transcribe(
      makeEntries(user("Task."), reasoning, reply("One."), reasoning, user("Stop."), reasoning),
    );
    expect(messageBlocks(messages)).toEqual([
      ["user", "text", "Task."],
      ["assistant", "thinking"],
      ["assistant", "text", "One."],
      ["assistant", "thinking"],
      ["user", "text", "Stop."],
      ["assistant", "thinking"],
    ]);
    expect(messages).toHaveLength(5);
    expect(calls).toMatchObject([{ prompt: { from: 0, to: 1 }, reply: 1 }]);
    expect(messages[0]).toMatchObject(textMessage("user", "Task."));
  });
});

describe("decodeMessage", () => {
  it("puts reasoning beside a reply before it", () => {
    const entry = { role: "assistant", content: "Hi.", reasoning_content: "Hm." };
    const message = decodeMessage(entry);
    expect(message?.blocks).toMatchObject([
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Hi." },
    ]);
    expect(message).not.toHaveProperty("native");
  });

  it("reads reasoning in a separate entry", () => {
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
    "returns undefined for %j",
    (entry) => {
      expect(decodeMessage(entry)).toBeUndefined();
    },
  );
});

function makeEnvironment(cost: string, model = "anthropic/claude-sonnet-4.5") {
  const details = `# Current Cost\n$${cost}\n\n# Current Mode\n<slug>code</slug>\n<model>${model}</model>`;
  return textMessage("user", `<environment_details>\n${details}\n</environment_details>`);
}

describe("callRecord", () => {
  it("reads Cline's metrics in both forms", () => {
    const entry = {
      ts: 9,
      modelInfo: { modelId: "claude-sonnet-4-5", providerId: "anthropic", mode: "act" },
      metrics: { tokens: { prompt: 100, completion: 7, cached: 60 }, cost: 0.13 },
    };
    expect(callRecord({ entry, before: undefined, after: undefined })).toEqual({
      model: "claude-sonnet-4-5",
      usage: { inputTokens: 40, cacheReadTokens: 60, cacheWriteTokens: 0, outputTokens: 7 },
      costUsd: 0.13,
      timestampMs: 9,
      outcome: "finished",
    });
    const metrics = { inputTokens: 21, outputTokens: 8, cacheReadTokens: 3, cacheWriteTokens: 1 };
    expect(callRecord({ entry: { metrics }, before: undefined, after: undefined }).usage).toEqual({
      inputTokens: 17,
      cacheReadTokens: 3,
      cacheWriteTokens: 1,
      outputTokens: 8,
    });
  });

  it("reads the model and cost from Roo's environment details before and after", () => {
    const record = callRecord({ entry: {}, before: makeEnvironment("0.19"), after: makeEnvironment("0.25") });
    expect(record).toEqual({ model: "anthropic/claude-sonnet-4.5", costUsd: 0.06, outcome: "finished" });
  });

  it("returns no cost if one side is missing or the cost decreased", () => {
    expect(callRecord({ entry: {}, before: makeEnvironment("0.19"), after: undefined })).not.toHaveProperty("costUsd");
    expect(
      callRecord({ entry: {}, before: makeEnvironment("0.19"), after: makeEnvironment("0.02") }),
    ).not.toHaveProperty("costUsd");
  });

  it("uses the last environment details, because earlier ones may be quotes", () => {
    const quoted = makeEnvironment("9.99", "quoted/model").blocks;
    const before = { role: "user" as const, blocks: [...quoted, ...makeEnvironment("0.10").blocks] };
    expect(callRecord({ entry: {}, before, after: makeEnvironment("0.20") })).toMatchObject({
      model: "anthropic/claude-sonnet-4.5",
      costUsd: 0.1,
    });
  });

  it("returns no usage if the metrics contain only a cost", () => {
    const record = callRecord({ entry: { metrics: { cost: 0 } }, before: undefined, after: undefined });
    expect(record).toEqual({ costUsd: 0, outcome: "finished" });
  });
});
