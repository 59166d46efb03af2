import { needAt, type Recall, recallOf, type Share, STRATEGIES, type Strategy, sumRecalls } from "@longhaul/condense";
import type { Conversation } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { printTable } from "../tokens/table.ts";
import { condenseTo } from "./condense-to.ts";
import { mean, readSessions, type SessionGroup } from "./sessions.ts";

/** Where a session is cut, as shares of its messages. */
const CUTS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;
/** What the part before the cut may have after condensing, in percent of its tokens. */
const BUDGET_PERCENTS = [50, 25, 10] as const;

/** One that leaves everything as it is would recall everything. */
const COMPARED = STRATEGIES.filter(({ isFinal }) => isFinal !== true);

const EXPLANATION = `
Each session is cut at ${CUTS.map((cut) => `${100 * cut} %`).join(", ")} of its messages, and the part before the cut condensed to so much of its tokens.
Reference recall: of the identifiers, paths, numbers and hashes that stood before the cut and that the assistant uses in the next 24 messages
before anything new supplies them, the share that is still there. Quote recall: the same for lines of its tool arguments, word for word.
Summaries are made without a model. Short sessions count as one.`;

/** Reference and quote recall of every strategy on real sessions. */
export function printRecall(counter: TokenCounter): void {
  const groups = readSessions();
  if (groups.length === 0) {
    console.log("\nNo real sessions at hand: recall is not measured.");
    return;
  }
  for (const budget of BUDGET_PERCENTS) {
    const rows = groups.map((group) => ({ ...group, recalls: recallsOf(group, budget / 100, counter) }));
    process.stderr.write("\r\u001b[K");
    printShares(`Reference recall at ${budget} %`, rows, ({ references }) => references);
    printShares(`Quote recall at ${budget} %`, rows, ({ quotes }) => quotes);
  }
  console.log(EXPLANATION);
}

interface Row extends Pick<SessionGroup, "name" | "isLong"> {
  /** By strategy. */
  readonly recalls: readonly Recall[];
}

function recallsOf({ name, conversations }: SessionGroup, share: number, counter: TokenCounter): Recall[] {
  return COMPARED.map((strategy) => {
    process.stderr.write(`\r\u001b[Krecall at ${100 * share} %: ${name}, ${strategy.id}`);
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
    ...(long.length < known.length ? [{ name: "mean of the long ones", cells: meanOf(long) }] : []),
  ];
  printTable(
    title,
    ["session", ...COMPARED.map(({ id }) => id)],
    [...shares, ...means].map(({ name, cells }) => [name, ...cells.map(spell)]),
  );
}

function ratio({ hit, of }: Share): number {
  return of === 0 ? Number.NaN : hit / of;
}

function spell(share: number): string {
  return Number.isNaN(share) ? "–" : share.toFixed(3);
}
