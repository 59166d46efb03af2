import {
  readAnthropic,
  readClaudeCode,
  readCodex,
  readGemini,
  readGeminiCli,
  readLog,
  readOpenaiChat,
  readOpenaiResponses,
  readPi,
  readRoo,
} from "./read-log.ts";
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

const lines = { layout: "lines", recordsUsage: true, readAny: readLog } as const;
const list = { layout: "list", recordsUsage: false, readAny: readLog } as const;
const geminiCli = {
  read: readGeminiCli,
  recordsUsage: true,
  recordsCacheWrites: false,
  unknownBlock: UNKNOWN_PART,
} as const;

describeReader({ ...lines, name: "Claude Code sessions", read: readClaudeCode, write: writeClaudeCode });
describeReader({ ...lines, name: "Codex sessions", read: readCodex, write: writeCodex });
describeReader({
  ...lines,
  name: "Codex sessions, bare items",
  read: readCodex,
  write: writeBareCodex,
  recordsUsage: false,
});
describeReader({ ...lines, name: "pi sessions, linear", read: readPi, write: writePi });
describeReader({ ...lines, name: "pi sessions, as trees", read: readPi, write: writePiTree });
describeReader({ ...lines, ...geminiCli, name: "Gemini CLI sessions, by line", write: writeGeminiCli });
describeReader({
  ...list,
  ...geminiCli,
  name: "Gemini CLI sessions, whole",
  write: writeGeminiCliMessages,
  wrap: wrapGeminiCli,
});
describeReader({ ...list, name: "Roo histories", read: readRoo, write: writeRoo, recordsUsage: true });
describeReader({ ...list, name: "OpenAI chat", read: readOpenaiChat, write: writeOpenaiChat });
describeReader({ ...list, name: "OpenAI responses", read: readOpenaiResponses, write: writeOpenaiResponses });
describeReader({ ...list, name: "Anthropic messages", read: readAnthropic, write: writeAnthropic });
describeReader({ ...list, name: "Gemini contents", read: readGemini, write: writeGemini, unknownBlock: UNKNOWN_PART });
