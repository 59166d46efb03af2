import type { Reply, Request, StreamEvent } from "@longhaul/conversation";
import { type Codec, codecNamed, writeSse } from "@longhaul/wire";

/** The formats that clients speak. */
export const CLIENT_WIRES = ["anthropic-messages", "openai-chat", "openai-responses", "gemini"] as const;

/** The bytes that a client of a format gets for a whole reply. */
export function encodeReplyFor(wire: string, reply: Reply): string {
  return JSON.stringify(codecNamed(wire).encodeReply(reply, { createdSeconds: 0 }));
}

/** The bytes that a client of a format gets for a stream. */
export function encodeStreamFor(wire: string, events: readonly StreamEvent[]): string {
  const { encodeStream } = codecNamed(wire);
  let state = encodeStream.start({ createdSeconds: 0 });
  const written = events.flatMap((event) => {
    const [next, out] = encodeStream.step(state, event);
    state = next;
    return out;
  });
  return [...written, ...encodeStream.end(state)].map(writeSse).join("");
}

/** A reply as a client of a format remembers it. */
export function rememberedBy(wire: string, reply: Reply): Reply["blocks"] {
  return codecNamed(wire).decodeReply(JSON.parse(encodeReplyFor(wire, reply))).blocks;
}

/** A request as it arrives from a client of a format. */
export function sentBy(wire: string, request: Request): Request {
  const codec: Codec = codecNamed(wire);
  const { model, stream } = request;
  return codec.decodeRequest(codec.encodeRequest(request, { model }).body, { model, stream });
}
