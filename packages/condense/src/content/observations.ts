import type { JsonObject, Message } from "@longhaul/conversation";
import type { Content, Contents, ToolUse } from "./content.ts";
import type { Link } from "./cuts.ts";

/** How agents without tool blocks frame the output of a command in a user message. */
const OBSERVATION = [
  /\n\(Current directory: [^\n]*\)\nbash-\$\s*$/, // SWE-agent
  /^(?:OBSERVATION|Observation):\s/, // SWE-agent, ReAct agents
  /^<returncode>-?\d+<\/returncode>/, // mini-SWE-agent
  /^The last command <command>[\s\S]{1,20000}?<\/command> timed out/, // mini-SWE-agent
  /^EXECUTION RESULT of \[\w+\]:/, // OpenHands
];

/** The start of a command in the assistant's text, and the end for each first character. A block of shell commands comes first. */
const SHELL_START = /```(?:bash|sh|shell|console)\n/;
const COMMAND_START = /```[\w-]*\n|<parameter=command>|\nAction:/;
const COMMAND_ENDS: ReadonlyMap<string, string> = new Map([
  ["`", "```"],
  ["<", "</parameter>"],
  ["\n", "\n"],
]);

/**
 * Reads user messages that only contain the output of a command, as agents without tool blocks send them (SWE-agent and its relatives), as
 * tool results. A user message counts only if it has the frame of one of these agents and answers a command. How it is read depends only on it
 * and the message before it.
 */
export function readObservations(messages: readonly Message[], read: Contents): Contents {
  const uses = new Map<number, ToolUse>();
  for (const [index, message] of messages.entries()) {
    const use = observedUse(message, messages[index - 1], index);
    if (use !== undefined) uses.set(index, use);
  }
  if (uses.size === 0) return read;
  const links = [...uses.values()].map(({ callMessage: from, resultMessage: to }): Link => ({ from, to }));
  return {
    contents: read.contents.map((content) => asResult(content, uses.get(content.at.message))),
    links: [...read.links, ...links],
    userAuthored: read.userAuthored.map((isOwn, index) => isOwn && !uses.has(index)),
  };
}

function asResult(content: Content, use: ToolUse | undefined): Content {
  return use === undefined ? content : { ...content, level: "result", use };
}

function observedUse(message: Message, before: Message | undefined, index: number): ToolUse | undefined {
  if (message.role !== "user" || before?.role !== "assistant") return undefined;
  const [only, ...others] = message.blocks;
  if (only?.type !== "text" || others.length > 0) return undefined;
  const { text } = only;
  if (!OBSERVATION.some((frame) => frame.test(text))) return undefined;
  const command = commandIn(before);
  if (command === undefined) return undefined;
  return { ...namedUse(text, command), callMessage: index - 1, resultMessage: index, isError: false };
}

function commandIn({ blocks }: Message): string | undefined {
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = texts.findLast((words) => COMMAND_START.test(words));
  const [opening] = SHELL_START.exec(text ?? "") ?? COMMAND_START.exec(text ?? "") ?? [];
  if (text === undefined || opening === undefined) return undefined;
  const from = text.indexOf(opening) + opening.length;
  const to = text.indexOf(COMMAND_ENDS.get(opening.charAt(0)) ?? "", from);
  return text.slice(from, to === -1 ? text.length : to).trim();
}

/** SWE-agent's window onto a file: its header, and lines with their numbers. */
const WINDOW = /^\[File: (\S+) \(\d+ lines total\)\]/;

/** Names what a result shows: lines of a file if it is a window onto one, else the output of its command. */
function namedUse(text: string, command: string): { name: string; input: JsonObject } {
  const path = WINDOW.exec(text)?.[1];
  const numbers = path === undefined ? [] : [...text.matchAll(/^(\d+):/gm)].map((found) => Number(found[1]));
  const [first] = numbers;
  if (path === undefined || first === undefined) return { name: "bash", input: { command } };
  return { name: "open", input: { path, start_line: first, end_line: numbers.at(-1) ?? first } };
}
