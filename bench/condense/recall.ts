import {
  needAt,
  type Recall,
  recallOf,
  type Share,
  STRATEGIES,
  type Strategy,
  sumRecalls,
} from "@longhaul/condense/advanced";
import type { Conversation } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { percent, printTable } from "../tokens/table.ts";
import { condenseTo } from "./condense-to.ts";
import { readSessions, type SessionGroup } from "./sessions.ts";
import { type Structure, structureOf } from "./structure.ts";

/** Where a session is cut, as shares of its messages. */
const CUTS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;
/** Size of the part before the cut after condensing, in percent of its tokens. */
const BUDGET_PERCENTS = [50, 25, 10] as const;
/** Number of sessions in the mean of the worst. */
const WORST = 5;

/** A strategy that never condenses would recall everything. */
const COMPARED = STRATEGIES.filter(({ isFinal }) => isFinal !== true);

const EXPLANATION = `
Each session is cut at ${CUTS.map((cut) => `${100 * cut}%`).join(", ")} of its messages, and the part before the cut is condensed to the given share of its tokens.
Reference recall: the share of identifiers, paths, numbers and hashes from before the cut that are still present, among those that the assistant
uses in the next 24 messages before anything new supplies them. Quote recall: the same for verbatim lines of its tool arguments.
Summaries are made without a model. Short sessions count as one. The worst five are those with the lowest share for each strategy.
Structure: results that contain the task (the first user message, at least its beginning and end) and that reach the target; the most notes in
one result; marks inside an argument of a call that do not replace the whole value; marks that name a message by its number; and the share of
tokens for the note and marks, for the list below the note (to-dos, changed files, the latest failure, names: it is content, not a mark), and
for references: mean and largest.`;

/** Measures every strategy on real sessions: reference recall, quote recall and the structure of the result. */
export function printRecall(counter: TokenCounter, folder?: string): void {
  const groups = readSessions(folder);
  if (groups.length === 0) {
    console.log("\nNo real sessions available: skipped recall.");
    return;
  }
  for (const budget of BUDGET_PERCENTS) {
    const rows = groups.map((group) => ({ ...group, results: resultsOf(group, budget / 100, counter) }));
    process.stderr.write("\r\u001b[K");
    printShares(`Reference recall at ${budget}%`, rows, ({ references }) => references);
    printShares(`Quote recall at ${budget}%`, rows, ({ quotes }) => quotes);
    printStructures(`Structure at ${budget}%`, rows);
  }
  console.log(EXPLANATION);
}

/** The figures of one strategy on the sessions of a group. */
interface Result {
  readonly recall: Recall;
  readonly structures: readonly Structure[];
}

interface Row extends Pick<SessionGroup, "name" | "isLong"> {
  /** By strategy. */
  readonly results: readonly Result[];
}

function resultsOf({ name, conversations }: SessionGroup, share: number, counter: TokenCounter): Result[] {
  return COMPARED.map((strategy) => {
    process.stderr.write(`\r\u001b[Krecall at ${100 * share}%: ${name}, ${strategy.id}`);
    const measured = conversations.flatMap((conversation) => measure(conversation, share, { strategy, counter }));
    return {
      recall: sumRecalls(measured.map(({ recall }) => recall)),
      structures: measured.map(({ structure }) => structure),
    };
  });
}

function measure(
  conversation: Conversation,
  share: number,
  how: { readonly strategy: Strategy; readonly counter: TokenCounter },
): { recall: Recall; structure: Structure }[] {
  const { messages } = conversation;
  return CUTS.map((cut) => {
    const at = Math.trunc(messages.length * cut);
    const raw = { ...conversation, messages: messages.slice(0, at) };
    const { targetTokens, ...condensation } = condenseTo(raw, share, how);
    return {
      recall: recallOf(needAt(messages, at), condensation.conversation.messages),
      structure: structureOf(condensation, { raw, counter: how.counter, targetTokens }),
    };
  });
}

function printShares(title: string, rows: readonly Row[], shareOf: (recall: Recall) => Share): void {
  const shares = rows.map(({ name, isLong, results }) => {
    return { name, isLong, cells: results.map(({ recall }) => ratio(shareOf(recall))) };
  });
  const known = shares.filter(({ cells }) => cells.every((cell) => !Number.isNaN(cell)));
  const columns = (of: typeof shares) => COMPARED.map((_, column) => of.map(({ cells }) => cells[column]!));
  const long = known.filter(({ isLong }) => isLong);
  const worst = columns(known).map((cells) => mean(cells.toSorted((a, b) => a - b).slice(0, WORST)));
  const means = [
    { name: "mean", cells: columns(known).map(mean) },
    ...(long.length < known.length ? [{ name: "mean of long sessions", cells: columns(long).map(mean) }] : []),
    ...(known.length > WORST ? [{ name: "mean of the worst five", cells: worst }] : []),
  ];
  printTable(
    title,
    ["session", ...COMPARED.map(({ id }) => id)],
    [...shares, ...means].map(({ name, cells }) => [name, ...cells.map(formatShare)]),
  );
}

function printStructures(title: string, rows: readonly Row[]): void {
  const lines = COMPARED.map(({ id }, column) => {
    const all = rows.flatMap(({ results }) => results[column]?.structures ?? []);
    return [
      id,
      percent(mean(all.map(({ hasTask }) => Number(hasTask)))),
      percent(mean(all.map(({ reachesTarget }) => Number(reachesTarget)))),
      String(Math.max(...all.map(({ notes }) => notes))),
      String(sum(all.map(({ cutArguments }) => cutArguments))),
      String(sum(all.map(({ numbered }) => numbered))),
      meanAndMost(all.map(({ markShare }) => markShare)),
      meanAndMost(all.map(({ listShare }) => listShare)),
      meanAndMost(all.map(({ referenceShare }) => referenceShare)),
    ];
  });
  const headings = [
    "strategy",
    "task",
    "target",
    "notes",
    "marks in arguments",
    "numbered marks",
    "marks, largest",
    "list, largest",
    "references, largest",
  ];
  printTable(title, headings, lines);
}

function meanAndMost(shares: readonly number[]): string {
  return `${percent(mean(shares))}, ${percent(Math.max(...shares))}`;
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function ratio({ hit, of }: Share): number {
  return of === 0 ? Number.NaN : hit / of;
}

function formatShare(share: number): string {
  return Number.isNaN(share) ? "–" : share.toFixed(3);
}
