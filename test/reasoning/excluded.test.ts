import { openGateway } from "@longhaul/gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCapturingUpstream } from "../context/capturing-upstream.ts";

const SECRET = "the model's own thoughts";
const ANSWER = "Forty-two.";

interface Vendor {
  readonly kind: string;
  readonly model: string;
  readonly path: string;
  readonly body: object;
  readonly whole: object;
  readonly events: readonly object[];
}

const chat = { id: "c1", object: "chat.completion", created: 1, model: "deepseek-v4-pro" };
const response = { id: "resp_1", object: "response", created_at: 1, model: "gpt-5", status: "completed" };
const reasoning = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: SECRET }] };
const said = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: ANSWER, annotations: [] }],
};
const usage = { input_tokens: 5, output_tokens: 5, total_tokens: 10 };

/** Vendors that show their reasoning although they are asked to leave it out, each with a client of its own format. */
const VENDORS: readonly (readonly [string, Vendor])[] = [
  [
    "anthropic-messages",
    {
      kind: "anthropic",
      model: "claude-opus-4-7",
      path: "/v1/messages",
      body: { max_tokens: 100, messages: [{ role: "user", content: "Hi" }] },
      whole: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-opus-4-7",
        stop_reason: "end_turn",
        content: [
          { type: "thinking", thinking: SECRET, signature: "s" },
          { type: "text", text: ANSWER },
        ],
        usage,
      },
      events: [
        {
          type: "message_start",
          message: { id: "m", type: "message", role: "assistant", model: "claude-opus-4-7", content: [], usage },
        },
        { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: SECRET } },
        { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "s" } },
        { type: "content_block_stop", index: 0 },
        { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: ANSWER } },
        { type: "content_block_stop", index: 1 },
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
        { type: "message_stop" },
      ],
    },
  ],
  [
    "openai-chat",
    {
      kind: "openai",
      model: "gpt-4o",
      path: "/v1/chat/completions",
      body: { messages: [{ role: "user", content: "Hi" }] },
      whole: {
        ...chat,
        choices: [
          {
            index: 0,
            finish_reason: "stop",
            message: { role: "assistant", content: ANSWER, reasoning_content: SECRET },
          },
        ],
      },
      events: [
        { ...chat, choices: [{ index: 0, delta: { role: "assistant", reasoning_content: SECRET } }] },
        { ...chat, choices: [{ index: 0, delta: { content: ANSWER } }] },
        { ...chat, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      ],
    },
  ],
  [
    "openai-responses",
    {
      kind: "openai",
      model: "gpt-5",
      path: "/v1/responses",
      body: { input: "Hi" },
      whole: { ...response, output: [reasoning, said], usage },
      events: [
        { type: "response.created", sequence_number: 0, response: { ...response, status: "in_progress", output: [] } },
        {
          type: "response.output_item.added",
          sequence_number: 1,
          output_index: 0,
          item: { ...reasoning, summary: [] },
        },
        {
          type: "response.reasoning_summary_part.added",
          sequence_number: 2,
          item_id: "rs_1",
          output_index: 0,
          summary_index: 0,
          part: { type: "summary_text", text: "" },
        },
        {
          type: "response.reasoning_summary_text.delta",
          sequence_number: 3,
          item_id: "rs_1",
          output_index: 0,
          summary_index: 0,
          delta: SECRET,
        },
        { type: "response.output_item.done", sequence_number: 4, output_index: 0, item: reasoning },
        {
          type: "response.output_item.added",
          sequence_number: 5,
          output_index: 1,
          item: { ...said, status: "in_progress", content: [] },
        },
        {
          type: "response.content_part.added",
          sequence_number: 6,
          item_id: "msg_1",
          output_index: 1,
          content_index: 0,
          part: { type: "output_text", text: "", annotations: [] },
        },
        {
          type: "response.output_text.delta",
          sequence_number: 7,
          item_id: "msg_1",
          output_index: 1,
          content_index: 0,
          delta: ANSWER,
        },
        { type: "response.output_item.done", sequence_number: 8, output_index: 1, item: said },
        {
          type: "response.completed",
          sequence_number: 9,
          response: { ...response, output: [reasoning, said], usage },
        },
      ],
    },
  ],
  [
    "gemini",
    {
      kind: "gemini",
      model: "gemini-2.5-flash",
      path: "/v1beta/models/gemini-2.5-flash:generateContent",
      body: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
      whole: candidateOf([{ text: SECRET, thought: true }, { text: ANSWER }]),
      events: [candidateOf([{ text: SECRET, thought: true }]), candidateOf([{ text: ANSWER }])],
    },
  ],
];

function candidateOf(parts: readonly object[]): object {
  return { candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts } }] };
}

function eventStream(events: readonly object[]): string {
  const lines = events.map((event) => {
    const name = "type" in event ? `event: ${event.type}\n` : "";
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return lines.join("");
}

/** Sends a request through a gateway that excludes reasoning to an upstream that sends it. */
async function ask({ kind, model, path, body, whole, events }: Vendor, isStream: boolean): Promise<string> {
  const upstream = await openCapturingUpstream(200, isStream ? eventStream(events) : JSON.stringify(whole));
  const file = {
    server: { port: 0 },
    upstreams: {
      up: { kind, apiKey: "k", maxRetries: 0, baseUrl: `${upstream.url}${kind === "openai" ? "/v1" : ""}` },
    },
    routes: [{ match: "*", upstream: "up" }],
  };
  const gateway = await openGateway({ file, environment: { REASONING_EXCLUDE: "yes" } });
  onTestFinished(async () => {
    await gateway.close();
    await upstream.close();
  });
  const streamed = path.replace(":generateContent", ":streamGenerateContent?alt=sse");
  const fields = kind === "gemini" ? body : { model, stream: isStream, ...body };
  const answer = await fetch(`${gateway.url}${isStream ? streamed : path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "k" },
    body: JSON.stringify(fields),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return text;
}

describe.each(VENDORS)("REASONING_EXCLUDE, with a %s vendor that sends its reasoning anyway", (_, vendor) => {
  it.each([false, true])("removes it from the answer (stream: %s)", async (isStream) => {
    const text = await ask(vendor, isStream);
    expect(text).toContain(ANSWER);
    expect(text).not.toContain(SECRET);
  });
});
