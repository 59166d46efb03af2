import { type Block, isJsonObject, type JsonObject, type Message } from "@longhaul/conversation";
import { decodeMessage as decodeWireMessage } from "../../messages/decode.ts";
import { listAt, textAt } from "../../reading/fields.ts";

/** One entry of the history, without the client's own notes. */
export function decodeMessage(entry: JsonObject): Message | undefined {
  if (isReasoning(entry)) return { role: "assistant", blocks: [decodeReasoning(entry)] };
  const { role, content } = entry;
  if (role === undefined || content === undefined) return undefined;
  const message = decodeWireMessage("anthropic-messages", { role, content });
  const thought = textAt(entry, "reasoning_content") ?? "";
  if (message === undefined || thought === "") return message;
  return { role: message.role, blocks: [{ type: "thinking", text: thought }, ...message.blocks] };
}

/** Whether the entry is the reasoning of the reply that follows it, as OpenAI's Responses format keeps it. */
export function isReasoning(entry: JsonObject): boolean {
  return entry.type === "reasoning" && entry.content === undefined;
}

function decodeReasoning(entry: JsonObject): Block {
  const texts = (listAt(entry, "summary") ?? []).map((part) => (isJsonObject(part) ? textAt(part, "text") : undefined));
  const signature = textAt(entry, "encrypted_content");
  const id = textAt(entry, "id");
  return {
    type: "thinking",
    text: textAt(entry, "text") ?? texts.filter((text) => text !== undefined).join("\n"),
    ...(signature !== undefined && { signature }),
    ...(id !== undefined && { id }),
    vendor: "openai",
  };
}
