import { decompose, STRATEGIES } from "@longhaul/condense";
import type { Conversation } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { percent, printTable } from "../tokens/table.ts";
import { condenseTo } from "./condense-to.ts";
import { mean } from "./mean.ts";
import type { SessionGroup } from "./sessions.ts";

const SHARE = 0.5;

/** How many of the user's messages each strategy keeps word for word. */
export function printKeptWords(groups: readonly SessionGroup[], counter: TokenCounter): void {
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
  const { contents, ownWords } = decompose(messages);
  return messages.flatMap((_, index) => {
    const words = contents.filter(({ at, level }) => at.message === index && level === "text").map(({ text }) => text);
    return ownWords[index] === true && words.length > 0 ? [words] : [];
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
