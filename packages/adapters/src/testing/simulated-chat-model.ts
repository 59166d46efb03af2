import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

/** A LangChain chat model backed by the OpenAI simulator, which refuses prompts that are too long or out of order. */
export class SimulatedChatModel extends BaseChatModel {
  readonly sent: unknown[][] = [];
  readonly #url: string;
  #tools: readonly unknown[] = [];

  constructor(url: string) {
    super({ maxRetries: 0 });
    this.#url = url;
  }

  override _llmType(): string {
    return "simulated";
  }

  override bindTools(tools: BindToolsInput[]): this {
    const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    this.#tools = tools.map((given) => ({ type: "function", function: { name: nameOf(given), parameters } }));
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const body = {
      model: "gpt-4.1",
      messages: messages.map(wireMessage),
      max_completion_tokens: 500,
      ...(this.#tools.length > 0 && { tools: this.#tools }),
    };
    this.sent.push(body.messages);
    const reply = await fetch(`${this.#url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer key", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { choices, usage, error } = await reply.json();
    if (error !== undefined) throw new Error(error.message);
    const message = readMessage(choices[0].message, usage);
    return { generations: [{ text: message.text, message }] };
  }
}

function nameOf(given: BindToolsInput): unknown {
  return "name" in given ? given.name : undefined;
}

interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

function wireMessage(message: BaseMessage): unknown {
  const { text } = message;
  if (ToolMessage.isInstance(message)) return { role: "tool", tool_call_id: message.tool_call_id, content: text };
  if (!AIMessage.isInstance(message)) return { role: message.type === "human" ? "user" : "system", content: text };
  const calls = (message.tool_calls ?? []).map(({ id, name, args }) => {
    return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
  });
  return { role: "assistant", content: text === "" ? null : text, ...(calls.length > 0 && { tool_calls: calls }) };
}

interface WireReply {
  readonly content: string | null;
  readonly tool_calls?: readonly WireCall[];
}

interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

function readMessage({ content, tool_calls: calls = [] }: WireReply, usage: WireUsage): AIMessage {
  const read = calls.map((call) => {
    return {
      type: "tool_call" as const,
      id: call.id,
      name: call.function.name,
      args: JSON.parse(call.function.arguments),
    };
  });
  const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = usage;
  const message = new AIMessage({ content: content ?? "", tool_calls: read });
  return Object.assign(message, { usage_metadata: { input_tokens, output_tokens, total_tokens } });
}
