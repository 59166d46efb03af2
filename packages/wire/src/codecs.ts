import { LonghaulError, type WireId } from "@longhaul/conversation";
import { anthropicMessages } from "./anthropic-messages/index.ts";
import type { Codec } from "./codec/codec.ts";
import { gemini } from "./gemini/index.ts";
import { openaiChat } from "./openai-chat/index.ts";
import { openaiResponses } from "./openai-responses/index.ts";

/** Every wire format. To add one, add its folder and a line here. */
export const CODECS: readonly Codec[] = [anthropicMessages, openaiChat, openaiResponses, gemini];

const BY_ID: ReadonlyMap<string, Codec> = new Map(CODECS.map((codec) => [codec.id, codec]));

/** Returns the codec of a format. */
export function codecOf(wire: WireId): Codec {
  return codecNamed(wire);
}

/** Returns the codec with this name, or undefined. The name may belong to something else, such as a log format or an SDK. */
export function findCodec(name: string | undefined): Codec | undefined {
  return name === undefined ? undefined : BY_ID.get(name);
}

/** Returns the codec for a name read from a store or a file. Throws `internal.bug` for an unknown name. */
export function codecNamed(name: string): Codec {
  const codec = findCodec(name);
  if (codec !== undefined) return codec;
  throw new LonghaulError(
    "internal.bug",
    `unknown wire format "${name}"; known formats: ${[...BY_ID.keys()].join(", ")}`,
  );
}
