import OpenAI from "openai";
import { type Client, MAX_ROUNDS, type Outcome, PATH_SCHEMA, resultOf, type SeenCall, type Task } from "./client.ts";

type Message = OpenAI.ChatCompletionMessageParam;
type Calls = OpenAI.ChatCompletionMessageFunctionToolCall[];

/** OpenAI's SDK with chat completions. */
export function chatClient(url: string): Client {
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: "key", maxRetries: 0 });
  return { name: "openai (chat)", wire: "openai-chat", run: (task) => run(sdk, task) };
}

async function run(sdk: OpenAI, task: Task): Promise<Outcome> {
  const system: Message[] = task.system === undefined ? [] : [{ role: "system", content: task.system }];
  const messages: Message[] = [...system, { role: "user", content: contentOf(task) }];
  const rounds: SeenCall[][] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { calls, ...outcome } = await create(sdk, task, messages);
    if (calls.length === 0) return { ...outcome, rounds };
    rounds.push(calls.map((call) => ({ name: call.function.name, input: JSON.parse(call.function.arguments) })));
    messages.push({ role: "assistant", content: outcome.text || null, tool_calls: calls });
    for (const call of calls) {
      messages.push({ role: "tool", tool_call_id: call.id, content: resultOf(JSON.parse(call.function.arguments)) });
    }
  }
  throw new Error("the loop did not end");
}

type Answer = Omit<Outcome, "rounds"> & { readonly calls: Calls };

async function create(sdk: OpenAI, task: Task, messages: Message[]): Promise<Answer> {
  const body = {
    model: task.model,
    max_completion_tokens: 4_000,
    messages,
    ...(task.tools && {
      tools: task.tools.map((name) => ({
        type: "function" as const,
        function: { name, description: `Uses ${name}.`, parameters: PATH_SCHEMA },
      })),
    }),
    ...(task.think === true && { reasoning_effort: "low" as const }),
  };
  return task.stream ? await collect(sdk, body) : await whole(sdk, body);
}

async function whole(sdk: OpenAI, body: OpenAI.ChatCompletionCreateParamsNonStreaming): Promise<Answer> {
  const { choices, usage } = await sdk.chat.completions.create(body);
  const message = choices[0]!.message;
  const calls = (message.tool_calls ?? []).filter((call) => call.type === "function");
  return { ...countsOf(usage), text: message.content ?? "", thinking: reasoningOf(message), calls };
}

async function collect(sdk: OpenAI, body: OpenAI.ChatCompletionCreateParamsNonStreaming): Promise<Answer> {
  const stream = await sdk.chat.completions.create({ ...body, stream: true, stream_options: { include_usage: true } });
  const calls: Calls = [];
  let text = "";
  let thinking = "";
  let usage: OpenAI.CompletionUsage | undefined;
  for await (const chunk of stream) {
    usage = chunk.usage ?? usage;
    const delta = chunk.choices[0]?.delta;
    text += delta?.content ?? "";
    thinking += reasoningOf(delta ?? {});
    for (const part of delta?.tool_calls ?? []) {
      const known = calls[part.index];
      if (known === undefined)
        calls[part.index] = {
          id: part.id!,
          type: "function",
          function: { name: part.function!.name!, arguments: part.function?.arguments ?? "" },
        };
      else known.function.arguments += part.function?.arguments ?? "";
    }
  }
  return { ...countsOf(usage), text, thinking, calls };
}

/** Reads reasoning from a field that OpenAI's types lack. */
function reasoningOf(message: object): string {
  const { reasoning_content: shown } = message as { reasoning_content?: string | null };
  return shown ?? "";
}

function countsOf(usage: OpenAI.CompletionUsage | undefined): { inputTokens: number; outputTokens: number } {
  return { inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 };
}

function contentOf({ prompt, image }: Task): OpenAI.ChatCompletionContentPart[] {
  const picture: OpenAI.ChatCompletionContentPart[] =
    image === undefined ? [] : [{ type: "image_url", image_url: { url: `data:image/png;base64,${image}` } }];
  return [...picture, { type: "text", text: prompt }];
}
