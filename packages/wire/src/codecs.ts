import { LonghaulError, type WireId } from "@longhaul/conversation";
import { anthropicMessages } from "./anthropic-messages/index.ts";
import type { Codec } from "./codec/codec.ts";
import { gemini } from "./gemini/index.ts";
import { openaiChat } from "./openai-chat/index.ts";
import { openaiResponses } from "./openai-responses/index.ts";

/** Every wire format. A new one is a folder and a line here. */
export const CODECS: readonly Codec[] = [anthropicMessages, openaiChat, openaiResponses, gemini];

const BY_ID: ReadonlyMap<string, Codec> = new Map(CODECS.map((codec) => [codec.id, codec]));

/** The codec of a format. */
export function codecOf(wire: WireId): Codec {
  return codecNamed(wire);
}

/** The codec with this name, for names that may mean another notation: a log, an SDK. */
export function findCodec(name: string | undefined): Codec | undefined {
  return name === undefined ? undefined : BY_ID.get(name);
}

/** The codec of a format whose name comes from outside: a store, a file. A name that no format has throws `internal.bug`. */
export function codecNamed(name: string): Codec {
  const codec = findCodec(name);
  if (codec !== undefined) return codec;
  throw new LonghaulError(
    "internal.bug",
    `there is no wire format "${name}"; there are ${[...BY_ID.keys()].join(", ")}`,
  );
}
