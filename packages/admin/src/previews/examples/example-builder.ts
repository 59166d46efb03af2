import type { JsonObject } from "@longhaul/conversation";

interface Message {
  readonly role: "user" | "assistant";
  readonly content: string | readonly JsonObject[];
}

interface ExampleTool {
  readonly name: string;
  readonly description: string;
  /** The names of its parameters, all strings. */
  readonly inputs: readonly string[];
}

export interface ExampleBuilder {
  user(text: string): ExampleBuilder;
  assistant(text: string): ExampleBuilder;
  /** Adds a text with a tool call by the assistant, and the tool's result. */
  use(text: string, call: readonly [name: string, input: JsonObject], result: string): ExampleBuilder;
  body(): JsonObject;
}

export function buildExample(system: string, tools: readonly ExampleTool[] = []): ExampleBuilder {
  const messages: Message[] = [];
  const add = (...more: readonly Message[]): ExampleBuilder => {
    messages.push(...more);
    return builder;
  };
  const builder: ExampleBuilder = {
    user: (text) => add({ role: "user", content: text }),
    assistant: (text) => add({ role: "assistant", content: text }),
    use: (text, [name, input], result) => {
      const id = `toolu_${String(messages.length).padStart(4, "0")}`;
      const call = { type: "tool_use", id, name, input };
      return add(
        { role: "assistant", content: [{ type: "text", text }, call] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] },
      );
    },
    body: () => ({
      model: "claude-sonnet-4-5",
      max_tokens: 8_000,
      system,
      ...(tools.length > 0 && { tools: tools.map(toolDefinition) }),
      messages: messages.map((message) => ({ ...message })),
    }),
  };
  return builder;
}

function toolDefinition({ name, description, inputs }: ExampleTool): JsonObject {
  const properties = Object.fromEntries(inputs.map((input) => [input, { type: "string" }]));
  return { name, description, input_schema: { type: "object", properties, required: [...inputs] } };
}
