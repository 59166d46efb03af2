import Anthropic from "@anthropic-ai/sdk";
import { type Client, MAX_ROUNDS, type Outcome, PATH_SCHEMA, resultOf, type SeenCall, type Task } from "./client.ts";

/** Anthropic's SDK with the Messages API. */
export function anthropicClient(url: string): Client {
  const sdk = new Anthropic({ baseURL: url, apiKey: "key", maxRetries: 0 });
  return { name: "@anthropic-ai/sdk", wire: "anthropic-messages", run: (task) => run(sdk, task) };
}

async function run(sdk: Anthropic, task: Task): Promise<Outcome> {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: contentOf(task) }];
  const rounds: SeenCall[][] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const reply = await create(sdk, task, messages);
    const calls = reply.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return outcomeOf(reply, rounds);
    rounds.push(calls.map(({ name, input }) => ({ name, input })));
    messages.push({ role: "assistant", content: reply.content });
    messages.push({
      role: "user",
      content: calls.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: resultOf(input) })),
    });
  }
  throw new Error("the loop did not end");
}

async function create(sdk: Anthropic, task: Task, messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> {
  const body: Anthropic.MessageCreateParamsNonStreaming = {
    model: task.model,
    max_tokens: 4_000,
    messages,
    ...(task.system !== undefined && { system: task.system }),
    ...(task.tools && {
      tools: task.tools.map((name) => ({
        name,
        description: `Uses ${name}.`,
        input_schema: PATH_SCHEMA,
      })),
    }),
    ...(task.think === true && { thinking: { type: "enabled" as const, budget_tokens: 1_024 } }),
  };
  return task.stream ? await sdk.messages.stream(body).finalMessage() : await sdk.messages.create(body);
}

function contentOf({ prompt, image }: Task): Anthropic.ContentBlockParam[] {
  const picture: Anthropic.ContentBlockParam[] =
    image === undefined ? [] : [{ type: "image", source: { type: "base64", media_type: "image/png", data: image } }];
  return [...picture, { type: "text", text: prompt }];
}

function outcomeOf({ content, usage }: Anthropic.Message, rounds: SeenCall[][]): Outcome {
  const inputTokens =
    usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  return {
    rounds,
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    thinking: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    inputTokens,
    outputTokens: usage.output_tokens,
  };
}
