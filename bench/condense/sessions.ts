import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  decompose,
  needAt,
  type Recall,
  recallOf,
  type Share,
  STRATEGIES,
  type Strategy,
  sumRecalls,
} from "@longhaul/condense";
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

/** Reads the real sessions; none if they are not available. */
export function readSessions(): SessionGroup[] {
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
export function printSessions(counter: TokenCounter): void {
  const groups = readSessions();
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
      const counts = conversations.map((raw) => countKept(raw, condenseTo(raw, SHARE, { strategy, counter })));
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

/** Where a session is cut, as shares of its messages. */
const CUTS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;
/** Size of the part before the cut after condensing, in percent of its tokens. */
const BUDGET_PERCENTS = [50, 25, 10] as const;

/** A strategy that never condenses would recall everything. */
const COMPARED = STRATEGIES.filter(({ isFinal }) => isFinal !== true);

const EXPLANATION = `
Each session is cut at ${CUTS.map((cut) => `${100 * cut}%`).join(", ")} of its messages, and the part before the cut is condensed to the given share of its tokens.
Reference recall: the share of identifiers, paths, numbers and hashes from before the cut that are still present, among those that the assistant
uses in the next 24 messages before anything new supplies them. Quote recall: the same for verbatim lines of its tool arguments.
Summaries are made without a model. Short sessions count as one.`;

/** Measures reference and quote recall of every strategy on real sessions. */
export function printRecall(counter: TokenCounter): void {
  const groups = readSessions();
  if (groups.length === 0) {
    console.log("\nNo real sessions available: skipped recall.");
    return;
  }
  for (const budget of BUDGET_PERCENTS) {
    const rows = groups.map((group) => ({ ...group, recalls: recallsOf(group, budget / 100, counter) }));
    process.stderr.write("\r\u001b[K");
    printShares(`Reference recall at ${budget}%`, rows, ({ references }) => references);
    printShares(`Quote recall at ${budget}%`, rows, ({ quotes }) => quotes);
  }
  console.log(EXPLANATION);
}

interface Row extends Pick<SessionGroup, "name" | "isLong"> {
  /** By strategy. */
  readonly recalls: readonly Recall[];
}

function recallsOf({ name, conversations }: SessionGroup, share: number, counter: TokenCounter): Recall[] {
  return COMPARED.map((strategy) => {
    process.stderr.write(`\r\u001b[Krecall at ${100 * share}%: ${name}, ${strategy.id}`);
    return sumRecalls(conversations.flatMap((conversation) => recallsIn(conversation, share, { strategy, counter })));
  });
}

function recallsIn(
  conversation: Conversation,
  share: number,
  how: { readonly strategy: Strategy; readonly counter: TokenCounter },
): Recall[] {
  const { messages } = conversation;
  return CUTS.map((cut) => {
    const at = Math.trunc(messages.length * cut);
    const before = { ...conversation, messages: messages.slice(0, at) };
    return recallOf(needAt(messages, at), condenseTo(before, share, how).messages);
  });
}

function printShares(title: string, rows: readonly Row[], shareOf: (recall: Recall) => Share): void {
  const shares = rows.map(({ name, isLong, recalls }) => {
    return { name, isLong, cells: recalls.map((recall) => ratio(shareOf(recall))) };
  });
  const known = shares.filter(({ cells }) => cells.every((cell) => !Number.isNaN(cell)));
  const meanOf = (of: typeof shares) => COMPARED.map((_, column) => mean(of.map(({ cells }) => cells[column]!)));
  const long = known.filter(({ isLong }) => isLong);
  const means = [
    { name: "mean", cells: meanOf(known) },
    ...(long.length < known.length ? [{ name: "mean of long sessions", cells: meanOf(long) }] : []),
  ];
  printTable(
    title,
    ["session", ...COMPARED.map(({ id }) => id)],
    [...shares, ...means].map(({ name, cells }) => [name, ...cells.map(formatShare)]),
  );
}

function ratio({ hit, of }: Share): number {
  return of === 0 ? Number.NaN : hit / of;
}

function formatShare(share: number): string {
  return Number.isNaN(share) ? "–" : share.toFixed(3);
}
