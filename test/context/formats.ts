import { type Message, type Request, type StreamEvent, textMessage } from "@longhaul/conversation/advanced";
import { codecNamed, collectReply, sseReader } from "@longhaul/wire";
import type { Rig } from "./rig.ts";

/** The formats that clients speak. */
export const WIRES = ["anthropic-messages", "openai-chat", "openai-responses", "gemini"] as const;

/** A client's request in any format. */
export interface Sending {
  readonly model: string;
  readonly wire: string;
  readonly messages: readonly Message[];
  readonly isStream?: boolean;
  /** @default 500 */
  readonly maxOutputTokens?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further fields of the body. */
  readonly fields?: object;
}

/** A client's response, with its text read by its own format's rules. */
export interface ClientAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** All bytes that the client got. */
  readonly bytes: string;
  readonly text: string;
}

/** Sends a request in a client's own format. */
export async function send(rig: Rig, sending: Sending): Promise<ClientAnswer> {
  const { model, wire, messages, isStream = false, maxOutputTokens = 500, headers = {}, fields = {} } = sending;
  const codec = codecNamed(wire);
  const conversation = { system: [], tools: [], messages };
  const request: Request = { model, stream: isStream, sampling: {}, maxOutputTokens, conversation };
  const { body } = codec.encodeRequest(request, { model });
  const answer = await rig.post(pathOf({ model, wire, isStream }), { ...body, ...fields }, headers);
  const { status, text: bytes } = answer;
  const blocks = status === 200 ? replyIn(wire, isStream, bytes).blocks : [];
  const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  return { status, headers: answer.headers, bytes, text };
}

/** The reply in an answer's bytes. */
export function replyIn(wire: string, isStream: boolean, bytes: string) {
  return isStream ? collectReply(eventsIn(wire, bytes)) : codecNamed(wire).decodeReply(JSON.parse(bytes));
}

function eventsIn(wire: string, bytes: string): StreamEvent[] {
  const { decodeStream } = codecNamed(wire);
  let state = decodeStream.start();
  const events = sseReader.step(sseReader.start(), Buffer.from(bytes))[1].flatMap((event) => {
    const [next, found] = decodeStream.step(state, event);
    state = next;
    return found;
  });
  return [...events, ...decodeStream.end(state)];
}

/** Where a format's requests go. */
export function pathOf({ model, wire, isStream = false }: Pick<Sending, "model" | "wire" | "isStream">): string {
  if (wire === "gemini")
    return `/v1beta/models/${model}:${isStream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
  return PATHS[wire] ?? "";
}

const PATHS: Readonly<Record<string, string>> = {
  "anthropic-messages": "/v1/messages",
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
};

/** Plain messages as the conversation has them. */
export function asMessages(plain: readonly object[]): Message[] {
  return (plain as readonly { role: "user" | "assistant"; content: string }[]).map(({ role, content }) =>
    textMessage(role, content),
  );
}
