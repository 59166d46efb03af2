import { readAnthropic, readClaudeCode, readLog, readOpenaiChat, readPi, readRoo } from "./read-log.ts";
import { describeReader } from "./testing/describe-reader.ts";
import { writeAnthropic, writeClaudeCode, writeOpenaiChat, writePi, writePiTree, writeRoo } from "./testing/writers.ts";

const lines = { layout: "lines", recordsUsage: true, readAny: readLog } as const;
const list = { layout: "list", recordsUsage: false, readAny: readLog } as const;

describeReader({ ...lines, name: "Claude Code sessions", read: readClaudeCode, write: writeClaudeCode });
describeReader({ ...lines, name: "pi sessions, linear", read: readPi, write: writePi });
describeReader({ ...lines, name: "pi sessions, as trees", read: readPi, write: writePiTree });
describeReader({ ...list, name: "Roo histories", read: readRoo, write: writeRoo, recordsUsage: true });
describeReader({ ...list, name: "OpenAI chat", read: readOpenaiChat, write: writeOpenaiChat });
describeReader({ ...list, name: "Anthropic messages", read: readAnthropic, write: writeAnthropic });
