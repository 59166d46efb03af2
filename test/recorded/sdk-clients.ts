import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, type Part } from "@google/genai";
import OpenAI from "openai";

/** A reply as returned by an SDK. */
export interface Seen {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly (readonly [name: string, input: unknown])[];
  /** Tokens of the prompt and the reply. */
  readonly usage: readonly [number, number];
}

/** An official SDK that makes one model call. */
export interface SdkClient {
  readonly wire: string;
  ask(model: string, stream: boolean): Promise<Seen>;
}

/** One SDK per format. */
export function openSdks(url: string): readonly SdkClient[] {
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: "key", maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: url, apiKey: "key", maxRetries: 0 });
  const google = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: url } });
  return [
    { wire: "anthropic-messages", ask: (model, stream) => askAnthropic(anthropic, model, stream) },
    { wire: "openai-chat", ask: (model, stream) => askChat(openai, model, stream) },
    { wire: "openai-responses", ask: (model, stream) => askResponses(openai, model, stream) },
    { wire: "gemini", ask: (model, stream) => askGemini(google, model, stream) },
  ];
}

async function askAnthropic(sdk: Anthropic, model: string, stream: boolean): Promise<Seen> {
  const body = { model, max_tokens: 1_000, messages: [{ role: "user" as const, content: "Hi" }] };
  const { content, usage } = await (stream ? sdk.messages.stream(body).finalMessage() : sdk.messages.create(body));
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  return {
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    thinking: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    calls: content.flatMap((block) => (block.type === "tool_use" ? [[block.name, block.input] as const] : [])),
    usage: [usage.input_tokens + cached, usage.output_tokens],
  };
}

async function askChat(sdk: OpenAI, model: string, stream: boolean): Promise<Seen> {
  const messages = [{ role: "user" as const, content: "Hi" }];
  let thinking = "";
  const take = (words: object) => {
    const { reasoning_content: said } = words as { reasoning_content?: string | null };
    thinking += said ?? "";
  };
  let reply: OpenAI.ChatCompletion;
  if (stream) {
    const runner = sdk.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
    runner.on("chunk", (chunk) => take(chunk.choices[0]?.delta ?? {}));
    reply = await runner.finalChatCompletion();
  } else {
    reply = await sdk.chat.completions.create({ model, messages });
    take(reply.choices[0]!.message);
  }
  const { content, tool_calls = [], refusal } = reply.choices[0]!.message;
  return {
    text: `${content ?? ""}${refusal ?? ""}`,
    thinking,
    calls: tool_calls.map((call) => {
      if (call.type === "custom") return [call.custom.name, call.custom.input];
      return [call.function.name, JSON.parse(call.function.arguments)];
    }),
    usage: [reply.usage?.prompt_tokens ?? 0, reply.usage?.completion_tokens ?? 0],
  };
}

async function askResponses(sdk: OpenAI, model: string, stream: boolean): Promise<Seen> {
  const body = { model, input: "Hi", store: false };
  const { output, usage } = await (stream ? sdk.responses.stream(body).finalResponse() : sdk.responses.create(body));
  return {
    text: output
      .flatMap((item) => (item.type === "message" ? item.content : []))
      .map((part) => (part.type === "output_text" ? part.text : part.refusal))
      .join(""),
    thinking: output
      .flatMap((item) => (item.type === "reasoning" ? item.summary : []))
      .map(({ text }) => text)
      .join(""),
    calls: output.flatMap((item): [string, unknown][] => {
      if (item.type === "custom_tool_call") return [[item.name, item.input]];
      return item.type === "function_call" ? [[item.name, JSON.parse(item.arguments)]] : [];
    }),
    usage: [usage?.input_tokens ?? 0, usage?.output_tokens ?? 0],
  };
}

async function askGemini(sdk: GoogleGenAI, model: string, stream: boolean): Promise<Seen> {
  const request = { model, contents: "Hi" };
  const parts: Part[] = [];
  let usage: readonly [number, number] = [0, 0];
  const replies = stream
    ? await sdk.models.generateContentStream(request)
    : [await sdk.models.generateContent(request)];
  for await (const { candidates, usageMetadata: counted } of replies) {
    parts.push(...(candidates?.[0]?.content?.parts ?? []));
    const output = (counted?.candidatesTokenCount ?? 0) + (counted?.thoughtsTokenCount ?? 0);
    usage = [counted?.promptTokenCount ?? usage[0], output];
  }
  return {
    text: parts.map(({ text = "", thought }) => (thought === true ? "" : text)).join(""),
    thinking: parts.map(({ text = "", thought }) => (thought === true ? text : "")).join(""),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [[functionCall.name ?? "", functionCall.args] as const],
    ),
    usage,
  };
}
