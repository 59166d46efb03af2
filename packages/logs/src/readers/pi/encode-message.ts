import {
  type Block,
  isJsonObject,
  type JsonObject,
  type Message,
  type ResultBlock,
  type ToolResultBlock,
} from "@longhaul/conversation";

/** Writes a message as pi logs it: what the tools answered is a message for each. One that nobody changed is written as it came. */
export function encodeMessage(message: Message): JsonObject[] {
  const own = message.native?.wire === "pi" ? message.native.value : undefined;
  if (isJsonObject(own)) return [own];
  if (message.role === "assistant") return [{ role: "assistant", content: message.blocks.map(encodeBlock) }];
  const results = message.blocks.filter((block) => block.type === "tool-result");
  const words = message.blocks.filter((block) => block.type !== "tool-result");
  return [
    ...results.map(encodeResult),
    ...(words.length === 0 ? [] : [{ role: "user", content: words.map(encodeBlock) }]),
  ];
}

function encodeResult({ callId, name, content, isError }: ToolResultBlock): JsonObject {
  return {
    role: "toolResult",
    toolCallId: callId,
    ...(name !== undefined && { toolName: name }),
    content: content.map(encodeBlock),
    isError,
  };
}

function encodeBlock(block: Block | ResultBlock): JsonObject {
  if (block.native?.wire === "pi" && isJsonObject(block.native.value)) return block.native.value;
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return {
        type: "thinking",
        thinking: block.text,
        ...(block.signature !== undefined && { thinkingSignature: block.signature }),
      };
    case "tool-call":
      return { type: "toolCall", id: block.id, name: block.name, arguments: block.input };
    case "image":
      return block.source.kind === "base64"
        ? { type: "image", data: block.source.data, mimeType: block.source.mediaType }
        : { type: "text", text: "[image]" };
    case "compaction":
      return { type: "text", text: block.text ?? "" };
    default:
      return { type: "text", text: `[${block.type}]` };
  }
}
