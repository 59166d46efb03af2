import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { codecOf } from "../codecs.ts";
import { collectReply } from "../reply/collect.ts";
import { FORMATS } from "../testing/formats.ts";
import { runStream } from "../testing/stream.ts";

const chat = codecOf("openai-chat");

function chunk(tool_calls: readonly JsonObject[], finish_reason: string | null = null) {
  return {
    data: JSON.stringify({ id: "r", model: "m", choices: [{ index: 0, delta: { tool_calls }, finish_reason }] }),
  };
}

// Arguments were concatenated ("{}{}{…}"), and parallel calls ended up in one block.
const SERVERS = {
  "without numbers": [
    chunk([{ id: "a", function: { name: "f", arguments: '{"n":' } }]),
    chunk([{ function: { arguments: "1}" } }]),
    chunk([{ id: "b", function: { name: "f", arguments: '{"n":2}' } }], "tool_calls"),
  ],
  "with the same number for all": [
    chunk([{ index: 0, id: "a", function: { name: "f", arguments: '{"n":1}' } }]),
    chunk([{ index: 0, id: "b", function: { name: "f", arguments: '{"n":2}' } }], "tool_calls"),
  ],
  "with pieces of both calls in turn": [
    chunk([
      { index: 0, id: "a", function: { name: "f", arguments: "" } },
      { index: 1, id: "b", function: { name: "f", arguments: "" } },
    ]),
    chunk([{ index: 1, function: { arguments: '{"n":' } }]),
    chunk([{ index: 0, function: { arguments: '{"n":1}' } }]),
    chunk([{ index: 1, function: { arguments: "2}" } }], "tool_calls"),
  ],
};

describe.each(Object.entries(SERVERS))("a chat server %s", (_, chunks) => {
  it.each(FORMATS)("sends a client of $codec.id two calls with their own arguments", ({ codec }) => {
    const written = runStream(codec.encodeStream, runStream(chat.decodeStream, [...chunks, { data: "[DONE]" }]));
    expect(collectReply(runStream(codec.decodeStream, written)).blocks).toMatchObject([
      { type: "tool-call", id: "a", name: "f", input: { n: 1 } },
      { type: "tool-call", id: "b", name: "f", input: { n: 2 } },
    ]);
  });
});

it("decodes arguments that a Responses server sends only at the end of the call", () => {
  const responses = codecOf("openai-responses");
  const item = { type: "function_call", call_id: "a", name: "f", arguments: '{"n":1}' };
  const events = [
    { type: "response.created", response: { id: "r", model: "m" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
    { type: "response.function_call_arguments.done", output_index: 0, arguments: item.arguments },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { status: "completed", output: [item] } },
  ];
  const read = runStream(
    responses.decodeStream,
    events.map((event) => ({ data: JSON.stringify(event) })),
  );
  expect(collectReply(read).blocks).toMatchObject([{ id: "a", input: { n: 1 } }]);
});
