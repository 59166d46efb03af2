import { type Conversation, isJsonArray, isJsonObject, type JsonValue } from "@longhaul/conversation";
import type { OpenedLog } from "@longhaul/logs";
import { codecOf, findCodec } from "@longhaul/wire";
import type { SessionModel } from "./session-model.ts";

/** Messages in the words of an API. */
export interface SpelledMessages {
  readonly messages: JsonValue;
  /** The system prompt, where the format has a place of its own for it and the input is a log. */
  readonly system?: JsonValue;
  /** What the format could not be told as it was. */
  readonly warnings: readonly string[];
}

/** A condensed conversation as messages: those of a log as Anthropic messages that can be sent, others in the format that they came in. */
export function spellMessages(opened: OpenedLog, conversation: Conversation, model: SessionModel): SpelledMessages {
  const codec = findCodec(opened.reading.format);
  if (codec === undefined) return asAnthropic(conversation, model);
  const written: JsonValue = JSON.parse(opened.write(conversation));
  if (isJsonArray(written) || !isJsonObject(written)) return { messages: written, warnings: [] };
  // Gemini CLI saves the contents of a conversation as its `history`.
  return { messages: written[codec.messagesField] ?? written.history ?? [], warnings: [] };
}

function asAnthropic(conversation: Conversation, { name = "claude" }: SessionModel): SpelledMessages {
  const request = { model: name, conversation, stream: false, sampling: {} };
  const { body, warnings } = codecOf("anthropic-messages").encodeRequest(request, { model: name });
  return {
    messages: body.messages ?? [],
    ...(body.system !== undefined && { system: body.system }),
    warnings: [...new Set(warnings.map(({ message }) => message))],
  };
}
