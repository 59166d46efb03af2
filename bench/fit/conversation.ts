import type { Conversation, Message } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { TEXT_MAKERS } from "../tokens/texts.ts";

export const MODEL = "claude-sonnet-4-6";

const CHARACTERS_PER_TOKEN = 3.1;

/** The content of tool results. */
const CODE = TEXT_MAKERS.code(400_000, 1);

/** An agent's conversation of about this many tokens and turns; each turn calls a tool and gets its result. */
export function makeConversation(tokens: number, turns: number): Conversation {
  const characters = Math.floor((tokens * CHARACTERS_PER_TOKEN) / turns);
  const opening: Message = { role: "user", blocks: [{ type: "text", text: "Go through the files one by one." }] };
  const messages = Array.from({ length: turns }, (_, turn) => makeTurn(`${turn}`, characters)).flat();
  return { system: [{ type: "text", text: TEXT_MAKERS.prose(8_000, 1) }], tools: [], messages: [opening, ...messages] };
}

/** A call and its result of about this many characters. */
export function makeTurn(id: string, characters: number): Message[] {
  const seed = [...id].reduce((sum, letter) => 31 * sum + letter.charCodeAt(0), 7) % 1e9;
  const from = seed % (CODE.length - characters);
  const text = `${id}\n${CODE.slice(from, from + Math.max(40, characters - 200))}`;
  return [
    {
      role: "assistant",
      blocks: [{ type: "tool-call", id: `call_${id}`, name: "read", input: { path: `src/${id}.ts` } }],
    },
    {
      role: "user",
      blocks: [{ type: "tool-result", callId: `call_${id}`, content: [{ type: "text", text }], isError: false }],
    },
  ];
}

export function bodyOf(conversation: Conversation): Buffer {
  const request = { model: MODEL, conversation, stream: true, sampling: {}, maxOutputTokens: 8_000 };
  return Buffer.from(JSON.stringify(codecOf("anthropic-messages").encodeRequest(request, { model: MODEL }).body));
}
