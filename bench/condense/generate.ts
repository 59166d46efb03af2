import type { Block, Conversation, JsonObject, Message, Tool } from "@longhaul/conversation";
import { pick, type Random, seededRandom } from "../tokens/random.ts";
import { TEXT_MAKERS } from "../tokens/texts.ts";

/** Approximate characters per token in these sessions. */
const CHARACTERS_PER_TOKEN = 3.1;

/**
 * A deterministic coding session of about this many tokens: whole and partial file reads, edits, searches, commands and failures, and
 * messages of the assistant and the user.
 */
export function makeSession(tokens: number, seed = tokens): Conversation {
  const random = seededRandom(seed);
  const session: Session = { random, messages: [], files: [], characters: 0 };
  say(session, "user", `${prose(session, 600)}\nNever change the public API, and always run the tests.`);
  while (session.characters < tokens * CHARACTERS_PER_TOKEN) pick(STEPS, random)(session);
  say(session, "user", prose(session, 200));
  const system = [{ type: "text" as const, text: TEXT_MAKERS.prose(4_000, seed) }];
  return { system, tools: TOOL_NAMES.map(makeTool), messages: session.messages };
}

interface Session {
  readonly random: Random;
  readonly messages: Message[];
  readonly files: SourceFile[];
  characters: number;
}

interface SourceFile {
  readonly path: string;
  readonly lines: string[];
}

const TOOL_NAMES = ["read_file", "edit_file", "search_code", "run_command", "list_files"];

function makeTool(name: string): Tool {
  const properties = { path: { type: "string" }, query: { type: "string" } };
  return { name, kind: "function", description: `Does ${name}.`, inputSchema: { type: "object", properties } };
}

type Step = (session: Session) => void;

/** The assistant's steps, repeated by frequency. */
const STEPS: readonly Step[] = [
  ...times(19, readFile),
  ...times(12, editFile),
  ...times(7, searchCode),
  ...times(8, runCommand),
  ...times(2, listFiles),
  ...times(2, (session) => say(session, "user", prose(session, 60 + 500 * session.random()))),
];

function times(count: number, step: Step): Step[] {
  return Array.from({ length: count }, () => step);
}

function readFile(session: Session): void {
  const { random } = session;
  const file = anyFile(session, 0.3);
  const isWhole = random() < 0.4;
  const from = isWhole ? 0 : Math.floor((random() * file.lines.length) / 2);
  const shown = file.lines.slice(from, isWhole ? undefined : from + 120);
  const text = shown.map((line, index) => `${String(from + index + 1).padStart(6)}→${line}`).join("\n");
  use(session, "read_file", { path: file.path, ...(isWhole ? {} : { offset: from + 1, limit: 120 }) }, { text });
}

function editFile(session: Session): void {
  const { random } = session;
  const file = anyFile(session, 0.05);
  const from = Math.floor(random() * (file.lines.length - 6));
  const replaced = Array.from({ length: 2 + 10 * random() }, () => makeLine(random));
  const before = file.lines.splice(from, 4, ...replaced);
  const input = { path: file.path, find: before.join("\n"), replace: replaced.join("\n") };
  const shown = file.lines.slice(Math.max(0, from - 3), from + replaced.length + 3).join("\n");
  use(session, "edit_file", input, {
    text: `The file ${file.path} has been updated. The changed section:\n${shown}`,
  });
}

function searchCode(session: Session): void {
  const { random } = session;
  const word = `${pick(WORDS, random)}${Math.floor(40 * random())}`;
  const found = session.files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (line.includes(word) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
  use(session, "search_code", { query: word }, { text: found.slice(0, 60).join("\n") || "No matches." });
}

function runCommand(session: Session): void {
  const { random } = session;
  const command = pick(["npm test", "npm run lint", "npx tsc -b", "git status"], random);
  const isError = random() < 0.3;
  const lines = session.files.slice(-20).map(({ path }) => ` ✓ ${path} (${Math.floor(20 * random())} tests)`);
  const failure = anyFile(session, 0);
  const trace = Array.from({ length: 12 }, (_, depth) => {
    return `    at ${pick(WORDS, random)}${depth} (${failure.path}:${Math.floor(200 * random())}:7)`;
  });
  const error = isError ? ["TypeError: cannot read properties of undefined (reading 'length')", ...trace] : [];
  const text = [`> ${command}`, ...lines, ...error, isError ? "exit code 1" : "Done."].join("\n");
  use(session, "run_command", { command }, { text, isError });
}

function listFiles(session: Session): void {
  use(session, "list_files", { path: "src" }, { text: session.files.map(({ path }) => path).join("\n") });
}

/** Returns a file of the project, or a new one with this probability. */
function anyFile({ files, random }: Session, newShare: number): SourceFile {
  if (files.length >= 3 && random() >= newShare) return pick(files.slice(-12), random);
  const path = `src/${pick(WORDS, random)}/${pick(WORDS, random)}-${files.length}.ts`;
  const file = { path, lines: Array.from({ length: 60 + 240 * random() }, () => makeLine(random)) };
  files.push(file);
  return file;
}

function use(
  session: Session,
  name: string,
  input: JsonObject,
  { text, isError = false }: { text: string; isError?: boolean },
): void {
  const id = `call_${session.messages.length}`;
  const remark = session.random() < 0.6 ? [textOf(prose(session, 40 + 260 * session.random()))] : [];
  add(session, "assistant", [...remark, { type: "tool-call", id, name, input }]);
  add(session, "user", [{ type: "tool-result", callId: id, content: [textOf(text)], isError }]);
}

function say(session: Session, role: Message["role"], text: string): void {
  if (role === "user" && session.messages.length > 0) add(session, "assistant", [textOf(prose(session, 300))]);
  add(session, role, [textOf(text)]);
}

function add(session: Session, role: Message["role"], blocks: readonly Block[]): void {
  session.messages.push({ role, blocks });
  session.characters += JSON.stringify(blocks).length;
}

function textOf(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}

function prose({ random }: Session, characters: number): string {
  return TEXT_MAKERS.prose(characters, Math.floor(1e9 * random()));
}

const WORDS =
  "report query filter range session token budget window message block cache index result parse encode retry".split(
    " ",
  );

function makeLine(random: Random): string {
  const name = () => `${pick(WORDS, random)}${Math.floor(40 * random())}`;
  const indent = "  ".repeat(Math.floor(4 * random()));
  const makers = [
    () => `const ${name()} = ${name()}(${name()}, ${Math.floor(1e4 * random())});`,
    () => `if (${name()}.${name()} === undefined) return ${name()};`,
    () => `export function ${name()}(${name()}: ${pick(WORDS, random)}): ${name()} {`,
    () =>
      `// ${
        TEXT_MAKERS.prose(30, Math.floor(1e9 * random()))
          .trim()
          .split("\n")[0]
      }`,
    () => "}",
  ];
  return `${indent}${pick(makers, random)()}`;
}
