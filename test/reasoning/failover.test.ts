import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PATH_SCHEMA, resultOf } from "../conformance/client.ts";
import { openRig, type Rig } from "./rig.ts";

let rig: Rig;
let url: string;
beforeAll(async () => {
  rig = await openRig();
  const models = { anthropic: "claude-sonnet-4-5", openai: "o4-mini", gemini: "gemini-2.5-flash" };
  ({ url } = await rig.gateway({ routes: [{ match: "smart", upstream: Object.keys(models), models }] }));
});
beforeEach(() => rig.simulator.reset());
afterAll(() => rig.close());

const MODEL = "smart:4k";
const PROMPT =
  'simulate: think 60\nsimulate: call read {"path":"{step}.ts"}\nsimulate: times 3\nsimulate: say Thought through.';

/** Which vendors are down in each turn. The simulator's Claude counts its steps by ids, which Gemini's calls have none of. */
const DOWN = [[], ["/v1/messages"], ["/v1/messages", "/v1/responses"], [], []] as const;

/** Puts vendors down for the next request to them. */
function putDown(paths: readonly string[]): void {
  for (const path of paths) rig.simulator.inject({ fault: "status=529", path });
}

/** The answer, its upstream, and the reasoning parameters that it received. */
function answered(): readonly (readonly [string | undefined, unknown])[] {
  const good = rig.simulator.requests().filter(({ rejected, faults }) => rejected === undefined && faults.length === 0);
  return good.map(({ api, body }) => [api, thinkingIn(body)]);
}

function thinkingIn(body: unknown): unknown {
  const { thinking, reasoning, generationConfig } = Object(body);
  return thinking ?? reasoning ?? generationConfig?.thinkingConfig;
}

const TOLD = [
  ["anthropic", { type: "enabled", budget_tokens: 4_096 }],
  ["openai-responses", { effort: "medium", summary: "auto" }],
  ["gemini", { thinkingBudget: 4_096, includeThoughts: true }],
  // A loop that others have gone on with carries no proofs of Claude's any more: it ends without thinking.
  ["anthropic", undefined],
  ["anthropic", undefined],
];

describe.each([false, true])("Claude → OpenAI → Gemini in mid-conversation (streaming: %s)", (stream) => {
  it("each vendor gets its own reasoning parameters from a Messages client", async () => {
    const sdk = new Anthropic({ baseURL: url, apiKey: "key", maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: PROMPT }];
    const warnings: (string | null)[] = [];
    let last: Anthropic.Message | undefined;
    for (const down of DOWN) {
      putDown(down);
      const { data, response } = await turn(sdk, messages, stream);
      last = data;
      warnings.push(response.headers.get("x-longhaul-warnings"));
      const calls = last.content.filter((block) => block.type === "tool_use");
      messages.push({ role: "assistant", content: last.content });
      messages.push({
        role: "user",
        content: calls.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: resultOf(input) })),
      });
    }
    expect(last?.content.at(-1)).toMatchObject({ type: "text", text: "Thought through." });
    expect(answered()).toEqual(TOLD);
    expect(warnings.at(-1)).toContain("a tool loop that started without thinking must continue without it");
  });

  it("and for one of chat completions", async () => {
    const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: "key", maxRetries: 0 });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: PROMPT }];
    let text: string | null | undefined;
    for (const down of DOWN) {
      putDown(down);
      const message = await chatTurn(sdk, messages, stream);
      text = message.content;
      const calls = (message.tool_calls ?? []).filter((call) => call.type === "function");
      messages.push({ role: "assistant", content: text, ...(calls.length > 0 && { tool_calls: calls }) });
      for (const call of calls) {
        messages.push({ role: "tool", tool_call_id: call.id, content: resultOf(JSON.parse(call.function.arguments)) });
      }
    }
    expect(text).toBe("Thought through.");
    expect(answered()).toEqual(TOLD);
  });
});

async function turn(sdk: Anthropic, messages: Anthropic.MessageParam[], stream: boolean) {
  const tools = [{ name: "read", input_schema: { ...PATH_SCHEMA, type: "object" as const } }];
  const body = { model: MODEL, max_tokens: 8_000, messages: [...messages], tools };
  if (!stream) return await sdk.messages.create(body).withResponse();
  const running = sdk.messages.stream(body);
  const { response } = await running.withResponse();
  return { data: await running.finalMessage(), response };
}

async function chatTurn(sdk: OpenAI, messages: OpenAI.ChatCompletionMessageParam[], stream: boolean) {
  const tools = [{ type: "function" as const, function: { name: "read", parameters: PATH_SCHEMA } }];
  const body = { model: MODEL, max_completion_tokens: 8_000, messages: [...messages], tools };
  const reply = stream
    ? await sdk.chat.completions.stream(body).finalChatCompletion()
    : await sdk.chat.completions.create(body);
  return reply.choices[0]!.message;
}
