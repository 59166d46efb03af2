import type { JsonObject } from "@longhaul/conversation";

/** A message of the Messages API. */
interface Message {
  readonly role: "user" | "assistant";
  readonly content: string | readonly JsonObject[];
}

/** A tool of an example. */
interface ExampleTool {
  readonly name: string;
  readonly description: string;
  /** The names of what it is called with, all texts. */
  readonly inputs: readonly string[];
}

/** A conversation in the making. */
export interface Writing {
  user(text: string): Writing;
  assistant(text: string): Writing;
  /** The assistant says something and calls a tool, which answers. */
  use(says: string, call: readonly [name: string, input: JsonObject], result: string): Writing;
  /** The body of the request that the conversation has come to. */
  body(): JsonObject;
}

/** Begins a conversation. */
export function write(system: string, tools: readonly ExampleTool[] = []): Writing {
  const messages: Message[] = [];
  const add = (...more: readonly Message[]): Writing => {
    messages.push(...more);
    return writing;
  };
  const writing: Writing = {
    user: (text) => add({ role: "user", content: text }),
    assistant: (text) => add({ role: "assistant", content: text }),
    use: (says, [name, input], result) => {
      const id = `toolu_${String(messages.length).padStart(4, "0")}`;
      const call = { type: "tool_use", id, name, input };
      return add(
        { role: "assistant", content: [{ type: "text", text: says }, call] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] },
      );
    },
    body: () => ({
      model: "claude-sonnet-4-5",
      max_tokens: 8_000,
      system,
      ...(tools.length > 0 && { tools: tools.map(spellTool) }),
      messages: messages.map((message) => ({ ...message })),
    }),
  };
  return writing;
}

function spellTool({ name, description, inputs }: ExampleTool): JsonObject {
  const properties = Object.fromEntries(inputs.map((input) => [input, { type: "string" }]));
  return { name, description, input_schema: { type: "object", properties, required: [...inputs] } };
}
