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

/** How clients send a command that the user ran in them, with its output, as one user message. */
const OWN_RUN = [
  // pi
  /^(?<start>Ran `(?<command>[^`]{1,10000})`\n```\n)(?<output>[\s\S]+)\n```(?:\n\n(?:\(command cancelled\)|Command exited with code \d+))?(?:\n\n\[Output truncated[^\n]*\])?\s*$/,
  // Gemini CLI, Qwen Code
  /^(?<start>I ran the following shell command:\n```sh\n(?<command>[^`]{1,10000})\n```\n\nThis produced the following result:\n```\n)(?<output>[\s\S]+)\n```\s*$/,
  // Codex
  /^(?<start><user_shell_command>\n<command>\n(?<command>[^<]{1,10000})\n<\/command>\n<result>\n)(?<output>[\s\S]+)\n<\/result>\n<\/user_shell_command>\s*$/,
];

/** A tool result in the text of a user message, and where it is. */
interface Observation {
  readonly use: ToolUse;
  readonly from: number;
  readonly to: number;
}

/**
 * Reads user messages that only contain the output of a command as tool results: as agents without tool blocks send them (SWE-agent and its
 * relatives), or as clients report a command that the user ran. A user message counts only if it has the frame of one of these agents and
 * answers a command, or contains one in the frame of one of these clients. How it is read depends only on it and the message before it.
 */
export function readObservations(messages: readonly Message[], read: Contents): Contents {
  const found = new Map<number, Observation>();
  for (const [index, message] of messages.entries()) {
    const text = onlyText(message);
    const observation = text === undefined ? undefined : (ownRun(text, index) ?? observed(text, messages, index));
    if (observation !== undefined) found.set(index, observation);
  }
  if (found.size === 0) return read;
  const links = [...found.values()].map(({ use: { callMessage: from, resultMessage: to } }): Link => ({ from, to }));
  return {
    contents: read.contents.map((content) => asResult(content, found.get(content.at.message))),
    links: [...read.links, ...links],
    userAuthored: read.userAuthored.map((isOwn, index) => isOwn && !found.has(index)),
  };
}

function asResult(content: Content, observation: Observation | undefined): Content {
  if (observation === undefined) return content;
  const { use, from, to } = observation;
  return { ...content, from, to, text: content.text.slice(from, to), level: "result", use };
}

/** Returns the text of a user message with nothing else. */
function onlyText({ role, blocks: [only, ...others] }: Message): string | undefined {
  return role === "user" && only?.type === "text" && others.length === 0 ? only.text : undefined;
}

function ownRun(text: string, index: number): Observation | undefined {
  for (const frame of OWN_RUN) {
    const { start, command, output } = frame.exec(text)?.groups ?? {};
    if (start === undefined || command === undefined || output === undefined) continue;
    const use = { name: "bash", input: { command }, callMessage: index, resultMessage: index, isError: false };
    return { use, from: start.length, to: start.length + output.length };
  }
  return undefined;
}

function observed(text: string, messages: readonly Message[], index: number): Observation | undefined {
  const before = messages[index - 1];
  if (before?.role !== "assistant" || !OBSERVATION.some((frame) => frame.test(text))) return undefined;
  const command = commandIn(before);
  if (command === undefined) return undefined;
  const use = { ...namedUse(text, command), callMessage: index - 1, resultMessage: index, isError: false };
  return { use, from: 0, to: text.length };
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
