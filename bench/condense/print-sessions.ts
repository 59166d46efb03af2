import type { TokenCounter } from "@longhaul/models";
import { measureLossless } from "../lossless.ts";
import { percent, printTable } from "../tokens/table.ts";
import { printKeptWords } from "./kept-words.ts";
import { mean } from "./mean.ts";
import { readSessions, type SessionGroup } from "./sessions.ts";

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
