import { PIN_MARKER } from "@longhaul/condense/advanced";
import { type Conversation, fingerprint, isUserAuthored } from "@longhaul/conversation/advanced";
import { sha256 } from "@longhaul/fit";
import type { PinsAnswer } from "../api/replays.ts";
import { blockText } from "./blocks.ts";

const SHOWN_CHARS = 300;

/** Returns the messages of a conversation that are pinned by hash or by the marker in their text. */
export function pinsOf({ messages }: Pick<Conversation, "messages">, hashes: readonly string[]): PinsAnswer["pins"] {
  return messages.flatMap((message) => {
    const { role, blocks } = message;
    const hash = fingerprint(message, sha256);
    const text = blocks.map(blockText).join("\n");
    const isMarked = isUserAuthored(message) && text.includes(PIN_MARKER);
    return isMarked || hashes.includes(hash) ? [{ hash, role, text: text.slice(0, SHOWN_CHARS), isMarked }] : [];
  });
}
