import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a Claude Code log with usage in which each turn reads a file of 100 lines. */
export function writeSession(folder: string, turns: number, name = "session.jsonl"): string {
  const lines = Array.from({ length: turns }, (_, turn) => makeTurn(turn)).flat();
  const linked = lines.map((line, index) => ({
    ...line,
    uuid: `line-${index}`,
    parentUuid: index === 0 ? null : `line-${index - 1}`,
    sessionId: "s1",
    isSidechain: false,
  }));
  const file = join(folder, name);
  writeFileSync(file, linked.map((line) => JSON.stringify(line)).join("\n"));
  return file;
}

const TOKENS_PER_TURN = 1_900;

function makeTurn(turn: number): object[] {
  const path = `src/part${turn}.ts`;
  const text = Array.from(
    { length: 100 },
    (_, line) => `export const value${turn}_${line} = readSetting("${path}", ${line});`,
  );
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: turn * TOKENS_PER_TURN,
    cache_creation_input_tokens: TOKENS_PER_TURN,
    output_tokens: 40,
  };
  const reply = (content: object[]) => ({
    type: "assistant",
    message: { role: "assistant", model: "claude-sonnet-4-5", content, usage },
  });
  const user = (content: unknown) => ({ type: "user", message: { role: "user", content } });
  return [
    user(`Please look at ${path} and change value${turn}_7.`),
    reply([{ type: "tool_use", id: `call_${turn}`, name: "Read", input: { path } }]),
    user([{ type: "tool_result", tool_use_id: `call_${turn}`, content: text.join("\n") }]),
    reply([
      {
        type: "text",
        text: `I have read ${path}; value${turn}_7 is the one, and value${Math.max(0, turn - 3)}_7 was.`,
      },
    ]),
  ];
}
