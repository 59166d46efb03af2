import { type Message, type Request, textMessage } from "@longhaul/conversation/advanced";
import { codecNamed } from "@longhaul/wire";
import { pathOf, replyIn } from "./formats.ts";
import type { Rig } from "./rig.ts";

/** A client that keeps its history in its own format and sends all of it on every turn. */
export interface Client {
  say(text: string, more?: Saying): Promise<ClientReply>;
}

/** How a turn is sent, where it is not plain. */
interface Saying {
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: object;
}

/** A client's response. */
export interface ClientReply {
  readonly status: number;
  /** All bytes that the client got. */
  readonly bytes: string;
  readonly text: string;
}

/** A client and its format. */
interface ClientOptions {
  readonly model: string;
  readonly wire: string;
  readonly isStream: boolean;
}

/** Opens a client of a rig, or of whichever takes its place. */
export function openClient(at: Rig | (() => Rig), { model, wire, isStream }: ClientOptions): Client {
  const codec = codecNamed(wire);
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
      const reply = replyIn(wire, isStream, bytes);
      messages = [...messages, { role: "assistant", blocks: reply.blocks }];
      return { status, bytes, text: reply.blocks.map((block) => (block.type === "text" ? block.text : "")).join("") };
    },
  };
}
