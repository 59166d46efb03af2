import { decompose, STRATEGIES } from "@longhaul/condense";
import type { Conversation } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { measureLossless } from "../lossless.ts";
import { percent, printTable } from "../tokens/table.ts";
import { condenseTo } from "./condense-to.ts";
import { mean, readSessions, type SessionGroup } from "./sessions.ts";

/** What strategies make of real sessions, where those are at hand. */
export function printSessions(counter: TokenCounter): void {
  const groups = readSessions();
  if (groups.length === 0) {
    console.log("\nNo real sessions at hand: what strategies keep of them is not measured.");
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
    "Lossless: tokens saved, and round trips that give back every letter",
    ["session", "saved", "exact"],
    [
      ...rows.map(({ name, saved, exact }) => [name, percent(saved), exact]),
      ["mean of the long ones", percent(long), ""],
    ],
  );
}

const SHARE = 0.5;

/** How many of the user's messages each strategy keeps word for word. */
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
    `Messages of the user kept word for word, condensed to ${percent(SHARE)}`,
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

/** What the user said, message by message, without what tools and clients put between. */
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
