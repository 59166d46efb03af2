import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { isJsonObject, type Message, type ToolResultBlock } from "@longhaul/conversation";
import type { ModelMessage } from "ai";

/** Returns a canonical message as the AI SDK's messages: results are messages of their own. */
export function toModelMessages({ role, blocks }: Message): ModelMessage[] {
  const text = textOf({ role, blocks });
  if (role === "system") return [{ role, content: text }];
  const results = blocks.filter((block) => block.type === "tool-result");
  if (role === "user") {
    const content = results.map((result) => ({
      type: "tool-result" as const,
      toolCallId: result.callId,
      toolName: result.name ?? "tool",
      output: { type: "text" as const, value: resultText(result) },
    }));
    return [
      ...(content.length > 0 ? [{ role: "tool" as const, content }] : []),
      ...(text === "" ? [] : [{ role, content: text }]),
    ];
  }
  const calls = blocks.flatMap((block) =>
    block.type === "tool-call"
      ? [{ type: "tool-call" as const, toolCallId: block.id, toolName: block.name, input: block.input }]
      : [],
  );
  return [{ role, content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls] }];
}

/** Returns a canonical message as LangChain's messages: each result is a message of its own. */
export function toLangChain({ role, blocks }: Message): BaseMessage[] {
  const text = textOf({ role, blocks });
  if (role === "system") return [new SystemMessage(text)];
  if (role === "user") {
    const results = blocks.flatMap((block) =>
      block.type === "tool-result" ? [new ToolMessage({ content: resultText(block), tool_call_id: block.callId })] : [],
    );
    return [...results, ...(text === "" && results.length > 0 ? [] : [new HumanMessage(text)])];
  }
  const tool_calls = blocks.flatMap((block) =>
    block.type === "tool-call"
      ? [
          {
            id: block.id,
            name: block.name,
            args: isJsonObject(block.input) ? { ...block.input } : { input: block.input },
          },
        ]
      : [],
  );
  return [new AIMessage({ content: text, tool_calls })];
}

function textOf({ blocks }: Message): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function resultText({ content }: ToolResultBlock): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
