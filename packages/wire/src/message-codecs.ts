import { MESSAGES as ANTHROPIC } from "./anthropic-messages/messages.ts";
import type { MessageCodec } from "./codec/codec.ts";
import { MESSAGES as GEMINI } from "./gemini/messages.ts";
import { MESSAGES as CHAT } from "./openai-chat/messages.ts";
import { MESSAGES as RESPONSES } from "./openai-responses/messages.ts";

/** The messages of every wire format, without the code for requests, replies and streams. */
export const MESSAGE_CODECS: readonly MessageCodec[] = [ANTHROPIC, CHAT, RESPONSES, GEMINI];
