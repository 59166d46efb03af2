import { LonghaulError, type WireId } from "@longhaul/conversation";
import { anthropicMessages } from "./anthropic-messages/index.ts";
import type { Codec } from "./codec.ts";
import { gemini } from "./gemini/index.ts";
import { openaiChat } from "./openai-chat/index.ts";
import { openaiResponses } from "./openai-responses/index.ts";

/** Every wire format. A new one is a folder and a line here. */
export const CODECS: readonly Codec[] = [anthropicMessages, openaiChat, openaiResponses, gemini];

/** The codec of a format. */
export function codecOf(wire: WireId): Codec {
  const codec = CODECS.find(({ id }) => id === wire);
  if (codec !== undefined) return codec;
  const known = CODECS.map(({ id }) => id).join(", ");
  throw new LonghaulError("internal.bug", `there is no wire format "${wire}"; there are ${known}`);
}
