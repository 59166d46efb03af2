import type { Usage } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import type { LoggedCall, LogReading } from "@longhaul/logs";

/** Makes a session that reads the same file again in every turn. Without `usageOf`, calls report no usage. */
export function makeSessionReading(turns: number, usageOf?: (call: number) => Usage): LogReading {
  const text = (turn: number) =>
    Array.from({ length: 60 }, (_, line) => `const value${line} = readSetting("src/file.ts", ${turn * line});`).join(
      "\n",
    );
  const messages = Array.from({ length: turns }, (_, turn) => [
    makeUser(`Please look at src/file.ts again, and change value${turn}.`),
    makeAssistant([makeToolCall(`c${turn}`, { name: "read", input: { path: "src/file.ts" } })]),
    makeUser(makeToolResult(`c${turn}`, text(turn % 3))),
    makeAssistant(`I changed value${turn} in src/file.ts.`),
  ]).flat();
  const replies = [...messages.keys()].filter((index) => index % 2 === 1);
  const calls = replies.map((reply, call): LoggedCall => {
    const usage = usageOf?.(call);
    return {
      model: "claude-sonnet-4-5",
      outcome: "finished",
      prompt: { from: 0, to: reply },
      reply,
      ...(usage && { usage }),
    };
  });
  return {
    format: "claude-code",
    conversation: makeConversation(messages),
    calls,
    sideCalls: [],
    events: [],
    warnings: [],
  };
}
