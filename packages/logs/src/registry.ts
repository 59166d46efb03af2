import type { LogReader } from "./reader.ts";
import { anthropicMessages } from "./readers/anthropic-messages.ts";
import { claudeCode } from "./readers/claude-code/claude-code.ts";
import { codex } from "./readers/codex/codex.ts";
import { gemini } from "./readers/gemini.ts";
import { geminiCli } from "./readers/gemini-cli/gemini-cli.ts";
import { openaiChat } from "./readers/openai-chat.ts";
import { openaiResponses } from "./readers/openai-responses.ts";
import { pi } from "./readers/pi/pi.ts";
import { roo } from "./readers/roo/roo.ts";

/** Every reader, in the order in which they are asked; the last recognises whatever has messages. */
export const READERS: readonly LogReader[] = [
  claudeCode,
  codex,
  pi,
  geminiCli,
  roo,
  gemini,
  openaiResponses,
  openaiChat,
  anthropicMessages,
];
