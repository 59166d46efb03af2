import type { Reply, Request, StreamEvent } from "@longhaul/conversation/advanced";
import { type Codec, codecNamed, writeSse } from "@longhaul/wire";

/** The formats that clients speak. */
export const CLIENT_WIRES = ["anthropic-messages", "openai-chat", "openai-responses", "gemini"] as const;

/** Encodes a whole reply for a client of a format. */
export function encodeReplyFor(wire: string, reply: Reply): string {
  return JSON.stringify(codecNamed(wire).encodeReply(reply, { createdSeconds: 0 }));
}

/** Encodes a stream for a client of a format. */
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

/** Returns the blocks that a client of a format remembers of a reply. */
export function rememberedBy(wire: string, reply: Reply): Reply["blocks"] {
  return codecNamed(wire).decodeReply(JSON.parse(encodeReplyFor(wire, reply))).blocks;
}

/** Returns a request as a client of a format sends it. */
export function sentBy(wire: string, request: Request): Request {
  const codec: Codec = codecNamed(wire);
  const { model, stream } = request;
  return codec.decodeRequest(codec.encodeRequest(request, { model }).body, { model, stream });
}
