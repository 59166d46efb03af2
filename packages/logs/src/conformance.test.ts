import { readLog, readLogAs } from "./read-log.ts";
import type { LogFormat } from "./reading/reading.ts";
import { describeReader } from "./testing/describe-reader.ts";
import {
  UNKNOWN_PART,
  wrapGeminiCli,
  writeBareCodex,
  writeCodex,
  writeGemini,
  writeGeminiCli,
  writeGeminiCliMessages,
  writeOpenaiResponses,
} from "./testing/vendor-writers.ts";
import { writeAnthropic, writeClaudeCode, writeOpenaiChat, writePi, writePiTree, writeRoo } from "./testing/writers.ts";

const as = (format: LogFormat) => (text: string) => readLogAs(format, text);
const lines = { layout: "lines", recordsUsage: true, readAny: readLog } as const;
const list = { layout: "list", recordsUsage: false, readAny: readLog } as const;
const geminiCli = {
  read: as("gemini-cli"),
  recordsUsage: true,
  recordsCacheWrites: false,
  unknownBlock: UNKNOWN_PART,
} as const;

describeReader({ ...lines, name: "Claude Code sessions", read: as("claude-code"), write: writeClaudeCode });
describeReader({ ...lines, name: "Codex sessions", read: as("codex"), write: writeCodex });
describeReader({
  ...lines,
  name: "Codex sessions, bare items",
  read: as("codex"),
  write: writeBareCodex,
  recordsUsage: false,
});
describeReader({ ...lines, name: "pi sessions, linear", read: as("pi"), write: writePi });
describeReader({ ...lines, name: "pi sessions, as trees", read: as("pi"), write: writePiTree });
describeReader({ ...lines, ...geminiCli, name: "Gemini CLI sessions, by line", write: writeGeminiCli });
describeReader({
  ...list,
  ...geminiCli,
  name: "Gemini CLI sessions, whole",
  write: writeGeminiCliMessages,
  wrap: wrapGeminiCli,
});
describeReader({ ...list, name: "Roo histories", read: as("roo"), write: writeRoo, recordsUsage: true });
describeReader({ ...list, name: "OpenAI chat", read: as("openai-chat"), write: writeOpenaiChat });
describeReader({ ...list, name: "OpenAI responses", read: as("openai-responses"), write: writeOpenaiResponses });
describeReader({ ...list, name: "Anthropic messages", read: as("anthropic-messages"), write: writeAnthropic });
describeReader({
  ...list,
  name: "Gemini contents",
  read: as("gemini"),
  write: writeGemini,
  unknownBlock: UNKNOWN_PART,
});
