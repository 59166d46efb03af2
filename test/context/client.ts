import { type Message, type Request, type StreamEvent, textMessage } from "@longhaul/conversation";
import { codecOf, collectReply, sseReader } from "@longhaul/wire";
import type { Rig } from "./rig.ts";

/** A client that keeps its history in its own format and sends all of it on every turn. */
export interface Client {
  say(text: string, more?: Saying): Promise<Told>;
}

/** How a turn is sent, where it is not plain. */
interface Saying {
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: object;
}

/** What a client was told. */
export interface Told {
  readonly status: number;
  /** All bytes that the client got. */
  readonly bytes: string;
  readonly text: string;
}

/** What a client is and speaks. */
interface ClientOptions {
  readonly model: string;
  readonly wire: string;
  readonly isStream: boolean;
}

/** Opens a client of a rig, or of whichever takes its place. */
export function openClient(at: Rig | (() => Rig), { model, wire, isStream }: ClientOptions): Client {
  const codec = codecOf(wire);
  let messages: readonly Message[] = [];
  return {
    say: async (text, { headers = {}, fields = {} } = {}) => {
      messages = [...messages, textMessage("user", text)];
      const request: Request = {
        model,
        stream: isStream,
        sampling: {},
        maxOutputTokens: 500,
        conversation: { system: [], tools: [], messages },
      };
      const { body } = codec.encodeRequest(request, { model });
      const rig = typeof at === "function" ? at() : at;
      const { status, text: bytes } = await rig.post(
        pathOf({ model, wire, isStream }),
        { ...body, ...fields },
        headers,
      );
      if (status !== 200) return { status, bytes, text: "" };
      const reply = isStream ? collectReply(eventsIn(wire, bytes)) : codec.decodeReply(JSON.parse(bytes));
      messages = [...messages, { role: "assistant", blocks: reply.blocks }];
      return { status, bytes, text: reply.blocks.map((block) => (block.type === "text" ? block.text : "")).join("") };
    },
  };
}

function eventsIn(wire: string, bytes: string): StreamEvent[] {
  const { decodeStream } = codecOf(wire);
  let state = decodeStream.start();
  const events = sseReader.step(sseReader.start(), Buffer.from(bytes))[1].flatMap((event) => {
    const [next, found] = decodeStream.step(state, event);
    state = next;
    return found;
  });
  return [...events, ...decodeStream.end(state)];
}

function pathOf({ model, wire, isStream }: ClientOptions): string {
  if (wire === "gemini")
    return `/v1beta/models/${model}:${isStream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
  return PATHS[wire] ?? "";
}

const PATHS: Readonly<Record<string, string>> = {
  "anthropic-messages": "/v1/messages",
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
};
