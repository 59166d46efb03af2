import { type Conversation, isJsonArray, isJsonObject, type JsonValue, table } from "@longhaul/conversation";
import type { LogFormat, OpenedLog } from "@longhaul/logs";
import { codecOf } from "@longhaul/wire";
import type { SessionModel } from "./session-model.ts";

/** Messages in the words of an API. */
export interface SpelledMessages {
  readonly messages: JsonValue;
  /** The system prompt, where the format has a place of its own for it and the input is a log. */
  readonly system?: JsonValue;
  /** What the format could not be told as it was. */
  readonly warnings: readonly string[];
}

/** Where the messages stand in JSON that is an API's own. */
const FIELDS: Readonly<Partial<Record<LogFormat, readonly string[]>>> = table({
  "anthropic-messages": ["messages"],
  "openai-chat": ["messages"],
  "openai-responses": ["input"],
  gemini: ["contents", "history"],
});

/** A condensed conversation as messages: those of a log as Anthropic messages that can be sent, others in the format that they came in. */
export function spellMessages(opened: OpenedLog, conversation: Conversation, model: SessionModel): SpelledMessages {
  const fields = FIELDS[opened.reading.format];
  if (fields === undefined) return asAnthropic(conversation, model);
  const written: JsonValue = JSON.parse(opened.write(conversation));
  if (isJsonArray(written) || !isJsonObject(written)) return { messages: written, warnings: [] };
  return { messages: fields.map((field) => written[field]).find((list) => list !== undefined) ?? [], warnings: [] };
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
