import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decompose, STRATEGIES } from "@longhaul/condense/advanced";
import type { Conversation } from "@longhaul/conversation";
import { readLog } from "@longhaul/logs";
import type { TokenCounter } from "@longhaul/models";
import { measureLossless } from "../lossless.ts";
import { percent, printTable } from "../tokens/table.ts";
import { condenseTo } from "./condense-to.ts";

/** Real sessions that are measured together: one long session, or many short ones of a kind. */
export interface SessionGroup {
  readonly name: string;
  readonly conversations: readonly Conversation[];
  readonly isLong: boolean;
}

const FOLDER = new URL("../../../shared/data/sessions/", import.meta.url);
const LONG = ["claude-code", "pi", "roo"] as const;
const SHORT = ["openai-tools"] as const;

/** Reads the session logs in a folder, or the real sessions of the benchmarks; none if those are not available. */
export function readSessions(folder?: string): SessionGroup[] {
  if (folder !== undefined) return readFolder(folder);
  if (!existsSync(FOLDER)) return [];
  const long = LONG.flatMap((folder) =>
    filesIn(folder).map((file) => ({ name: `${folder}/${file}`, conversations: [read(folder, file)], isLong: true })),
  );
  const short = SHORT.map((folder) => {
    const conversations = filesIn(folder).map((file) => read(folder, file));
    return { name: `${folder} (${conversations.length})`, conversations, isLong: false };
  });
  return [...long, ...short];
}

function readFolder(folder: string): SessionGroup[] {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const { conversation } = readLog(readFileSync(join(folder, file), "utf8"));
      return { name: file.replace(/\.\w+$/, ""), conversations: [conversation], isLong: true };
    });
}

function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, FOLDER)).sort();
}

function read(folder: string, file: string): Conversation {
  return readLog(readFileSync(new URL(`${folder}/${file}`, FOLDER), "utf8")).conversation;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Measures strategies on real sessions, if available. */
export function printSessions(counter: TokenCounter, folder?: string): void {
  const groups = readSessions(folder);
  if (groups.length === 0) {
    console.log("\nNo real sessions available: skipped the measurement of what strategies keep.");
    return;
  }
  printLossless(groups, counter);
  printKeptWords(groups, counter);
}

function printLossless(groups: readonly SessionGroup[], counter: TokenCounter): void {
  const rows = groups.map(({ name, conversations, isLong }) => {
    process.stderr.write(`\r\u001b[Klossless: ${name}`);
    const figures = conversations.map((conversation) => measureLossless(conversation, counter, {}));
    const saved = mean(figures.map(({ tokensBefore, tokensAfter }) => 1 - tokensAfter / tokensBefore));
    const exact = figures.filter(({ isExact }) => isExact).length;
    return { name, isLong, saved, exact: `${exact} of ${figures.length}` };
  });
  process.stderr.write("\r\u001b[K");
  const long = mean(rows.filter(({ isLong }) => isLong).map(({ saved }) => saved));
  printTable(
    "Lossless: tokens saved, and exact round trips",
    ["session", "saved", "exact"],
    [
      ...rows.map(({ name, saved, exact }) => [name, percent(saved), exact]),
      ["mean of long sessions", percent(long), ""],
    ],
  );
}

const SHARE = 0.5;

/** Counts the user messages that each strategy keeps verbatim. */
function printKeptWords(groups: readonly SessionGroup[], counter: TokenCounter): void {
  const table = groups.map(({ name, conversations }) => {
    const shares = STRATEGIES.map((strategy) => {
      process.stderr.write(`\r\u001b[Kuser messages kept: ${name}, ${strategy.id}`);
      const counts = conversations.map((raw) =>
        countKept(raw, condenseTo(raw, SHARE, { strategy, counter }).conversation),
      );
      return sum(counts.map(({ kept }) => kept)) / sum(counts.map(({ all }) => all));
    });
    return { name, shares };
  });
  process.stderr.write("\r\u001b[K");
  const means = STRATEGIES.map((_, column) => mean(table.map(({ shares }) => shares[column]!)));
  printTable(
    `User messages kept verbatim, condensed to ${percent(SHARE)}`,
    ["session", ...STRATEGIES.map(({ id }) => id)],
    [...table, { name: "mean", shares: means }].map(({ name, shares }) => [name, ...shares.map(percent)]),
  );
}

function countKept(raw: Conversation, condensed: Conversation): { kept: number; all: number } {
  const own = wordsByMessage(raw);
  const left = condensed.messages.filter(({ role }) => role === "user").flatMap(({ blocks }) => blocks);
  const texts = left.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const isLeft = (text: string) => texts.some((candidate) => candidate.includes(text));
  return { kept: own.filter((words) => words.every(isLeft)).length, all: own.length };
}

/** The user's own texts by message, without tool results and client additions. */
function wordsByMessage({ messages }: Conversation): string[][] {
  const { contents, userAuthored: ownWords } = decompose(messages);
  return messages.flatMap((_, index) => {
    const words = contents.filter(({ at, level }) => at.message === index && level === "text").map(({ text }) => text);
    return ownWords[index] === true && words.length > 0 ? [words] : [];
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
