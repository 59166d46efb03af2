import { type Content, type GenerateContentResponse, GoogleGenAI, type Part } from "@google/genai";
import { type Client, MAX_ROUNDS, type Outcome, PATH_SCHEMA, resultOf, type SeenCall, type Task } from "./client.ts";

/** Google's SDK. */
export function geminiClient(url: string): Client {
  const sdk = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: url } });
  return { name: "@google/genai", wire: "gemini", run: (task) => run(sdk, task) };
}

async function run(sdk: GoogleGenAI, task: Task): Promise<Outcome> {
  const contents: Content[] = [{ role: "user", parts: partsOf(task) }];
  const rounds: SeenCall[][] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { parts, usage } = await create(sdk, task, contents);
    const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
    if (calls.length === 0) return { ...outcomeOf(parts, usage), rounds };
    rounds.push(calls.map(({ name, args }) => ({ name: name ?? "", input: args })));
    contents.push({ role: "model", parts });
    const results = calls.map(({ id, name, args }) => ({
      functionResponse: { ...(id !== undefined && { id }), name: name ?? "", response: { output: resultOf(args) } },
    }));
    contents.push({ role: "user", parts: results });
  }
  throw new Error("the loop did not end");
}

type Usage = GenerateContentResponse["usageMetadata"];

async function create(sdk: GoogleGenAI, task: Task, contents: Content[]): Promise<{ parts: Part[]; usage: Usage }> {
  const config = {
    maxOutputTokens: 4_000,
    ...(task.system !== undefined && { systemInstruction: task.system }),
    ...(task.tools && {
      tools: [
        {
          functionDeclarations: task.tools.map((name) => ({
            name,
            description: `Uses ${name}.`,
            parametersJsonSchema: PATH_SCHEMA,
          })),
        },
      ],
    }),
    ...(task.think === true && { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } }),
  };
  const request = { model: task.model, contents, config };
  if (!task.stream) {
    const reply = await sdk.models.generateContent(request);
    return { parts: reply.candidates?.[0]?.content?.parts ?? [], usage: reply.usageMetadata };
  }
  const parts: Part[] = [];
  let usage: Usage;
  for await (const chunk of await sdk.models.generateContentStream(request)) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    usage = chunk.usageMetadata ?? usage;
  }
  return { parts, usage };
}

function partsOf({ prompt, image }: Task): Part[] {
  const picture: Part[] = image === undefined ? [] : [{ inlineData: { mimeType: "image/png", data: image } }];
  return [...picture, { text: prompt }];
}

function outcomeOf(parts: readonly Part[], usage: Usage): Omit<Outcome, "rounds"> {
  return {
    text: parts.map((part) => (part.thought === true ? "" : (part.text ?? ""))).join(""),
    thinking: parts.map((part) => (part.thought === true ? (part.text ?? "") : "")).join(""),
    inputTokens: usage?.promptTokenCount ?? 0,
    outputTokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
  };
}
