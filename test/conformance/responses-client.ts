import OpenAI from "openai";
import { type Client, MAX_ROUNDS, type Outcome, PATH_SCHEMA, resultOf, type SeenCall, type Task } from "./client.ts";

type Item = OpenAI.Responses.ResponseInputItem;

/** OpenAI's SDK with the Responses API; sends the whole history. */
export function responsesClient(url: string): Client {
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: "key", maxRetries: 0 });
  return { name: "openai (responses)", wire: "openai-responses", run: (task) => run(sdk, task) };
}

async function run(sdk: OpenAI, task: Task): Promise<Outcome> {
  const input: Item[] = [{ role: "user", content: contentOf(task) }];
  const rounds: SeenCall[][] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const reply = await create(sdk, task, input);
    const calls = reply.output.filter((item) => item.type === "function_call");
    if (calls.length === 0) return outcomeOf(reply, rounds);
    rounds.push(calls.map(({ name, arguments: text }) => ({ name, input: JSON.parse(text) })));
    input.push(...(reply.output as Item[]));
    for (const call of calls) {
      input.push({ type: "function_call_output", call_id: call.call_id, output: resultOf(JSON.parse(call.arguments)) });
    }
  }
  throw new Error("the loop did not end");
}

async function create(sdk: OpenAI, task: Task, input: Item[]): Promise<OpenAI.Responses.Response> {
  const body = {
    model: task.model,
    max_output_tokens: 4_000,
    input,
    store: false,
    include: ["reasoning.encrypted_content" as const],
    ...(task.system !== undefined && { instructions: task.system }),
    ...(task.tools && {
      tools: task.tools.map((name) => ({
        type: "function" as const,
        name,
        description: `Uses ${name}.`,
        parameters: PATH_SCHEMA,
        strict: false,
      })),
    }),
    ...(task.think === true && { reasoning: { effort: "low" as const, summary: "auto" as const } }),
  };
  if (!task.stream) return await sdk.responses.create(body);
  let reply: OpenAI.Responses.Response | undefined;
  for await (const event of await sdk.responses.create({ ...body, stream: true })) {
    if (event.type === "response.completed" || event.type === "response.incomplete") reply = event.response;
  }
  if (reply === undefined) throw new Error("the stream did not complete");
  return reply;
}

function contentOf({ prompt, image }: Task): OpenAI.Responses.ResponseInputContent[] {
  const picture: OpenAI.Responses.ResponseInputContent[] =
    image === undefined ? [] : [{ type: "input_image", detail: "auto", image_url: `data:image/png;base64,${image}` }];
  return [...picture, { type: "input_text", text: prompt }];
}

function outcomeOf({ output, usage }: OpenAI.Responses.Response, rounds: SeenCall[][]): Outcome {
  const texts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  const thoughts = output.flatMap((item) => (item.type === "reasoning" ? item.summary : []));
  return {
    rounds,
    text: texts.map((part) => (part.type === "output_text" ? part.text : "")).join(""),
    thinking: thoughts.map(({ text }) => text).join(""),
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
  };
}
