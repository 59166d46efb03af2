// Compares the library with the functions that frameworks have for long conversations, on real sessions: size, recall, broken tool pairs, cache
// breaks of a growing session, and time.
import { parseArgs } from "node:util";
import { needAt, type Recall, recallOf, type Share, sumRecalls } from "@longhaul/condense/advanced";
import { type Message, toolPairs } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { sha256 } from "./condense/condense-to.ts";
import { readSessions } from "./condense/sessions.ts";
import { type Condenser, makeCondensers, sizeOf } from "./library/condensers.ts";
import { summarizing } from "./library/summarizing.ts";
import { percent, printTable } from "./tokens/table.ts";

/** Where a session is cut, as shares of its messages. */
const CUTS = [0.5, 0.7, 0.9] as const;
const BUDGET_PERCENTS = [50, 25, 10] as const;
/** The window of a growing session, as a share of all its tokens, and the most prompts that are sent of one session. */
const WINDOW_SHARE = 0.25;
const MAX_PROMPTS = 120;

interface Figures {
  readonly used: number;
  readonly isOver: boolean;
  /** Whether it threw an error: protected messages alone exceed the budget. */
  readonly isRefused: boolean;
  readonly recall: Recall;
  readonly brokenPairs: number;
  readonly milliseconds: number;
}

const { sessions: folder } = parseArgs({ options: { sessions: { type: "string" } } }).values;
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("claude");
const condensers = [...makeCondensers(counter), summarizing(counter)];
const groups = Map.groupBy(readSessions(folder), ({ isLong }) => (isLong ? "long sessions" : "short sessions"));
if (groups.size === 0) console.log("No real sessions available.");
for (const [kind, group] of groups) {
  const sessions = group.flatMap(({ conversations }) => conversations.map(({ messages }) => messages));
  for (const share of BUDGET_PERCENTS) await printBudget(share, { kind, sessions });
  await printGrowth({ kind, sessions });
}

interface Sessions {
  readonly kind: string;
  readonly sessions: readonly (readonly Message[])[];
}

async function printBudget(budget: number, { kind, sessions }: Sessions): Promise<void> {
  const rows: string[][] = [];
  for (const condenser of condensers) {
    const figures: Figures[] = [];
    for (const messages of sessions) {
      for (const at of cutsOf(messages)) figures.push(await measure(condenser, messages, { at, share: budget / 100 }));
      process.stderr.write(`\r\u001b[K${condenser.name} at ${budget}%: ${figures.length}`);
    }
    rows.push([condenser.name, ...cellsOf(figures)]);
  }
  process.stderr.write("\r\u001b[K");
  const headings = [
    "",
    "runs",
    "budget used",
    "over budget",
    "refused",
    "references",
    "quotes",
    "broken pairs",
    "ms per run",
  ];
  printTable(`Condensed to ${budget}%: ${kind}`, headings, rows);
}

function cutsOf({ length }: readonly Message[]): number[] {
  return CUTS.map((cut) => Math.trunc(length * cut)).filter((at) => at > 1);
}

function cellsOf(figures: readonly Figures[]): string[] {
  const mean = (of: (each: Figures) => number) => figures.reduce((sum, each) => sum + of(each), 0) / figures.length;
  const answered = figures.filter(({ isRefused }) => !isRefused);
  const { references, quotes } = sumRecalls(figures.map(({ recall }) => recall));
  return [
    String(figures.length),
    percent(answered.reduce((sum, { used }) => sum + used, 0) / answered.length),
    String(figures.filter(({ isOver }) => isOver).length),
    String(figures.filter(({ isRefused }) => isRefused).length),
    shareText(references),
    shareText(quotes),
    String(figures.reduce((sum, { brokenPairs }) => sum + brokenPairs, 0)),
    mean(({ milliseconds }) => milliseconds).toFixed(0),
  ];
}

function shareText({ hit, of }: Share): string {
  return of === 0 ? "none" : `${percent(hit / of)} (${hit}/${of})`;
}

async function measure(
  { condense }: Condenser,
  messages: readonly Message[],
  { at, share }: { readonly at: number; readonly share: number },
): Promise<Figures> {
  const raw = messages.slice(0, at);
  const budgetTokens = Math.floor(share * sizeOf(raw, counter));
  const startedAt = performance.now();
  const left = await condense(raw, budgetTokens).catch(() => undefined);
  const milliseconds = performance.now() - startedAt;
  const size = sizeOf(left ?? raw, counter);
  return {
    used: left === undefined ? 0 : size / budgetTokens,
    isOver: left !== undefined && size > budgetTokens,
    isRefused: left === undefined,
    recall: recallOf(needAt(messages, at), left ?? []),
    brokenPairs: left === undefined ? 0 : newlyBroken(left, raw),
    milliseconds,
  };
}

function newlyBroken(left: readonly Message[], raw: readonly Message[]): number {
  const before = brokenPairs(raw);
  return [...brokenPairs(left)].filter((id) => !before.has(id)).length;
}

/** Returns the ids of calls without a result and of results without a call. */
function brokenPairs(messages: readonly Message[]): Set<string> {
  const { pairs, orphans } = toolPairs(messages);
  const open = pairs.filter(({ result }) => result === undefined).map(({ callId }) => callId);
  const lost = orphans.flatMap(({ message, block }) => {
    const found = messages[message]?.blocks[block];
    return found?.type === "tool-result" ? [found.callId] : [];
  });
  return new Set([...open, ...lost]);
}

async function printGrowth({ kind, sessions }: Sessions): Promise<void> {
  const rows: string[][] = [];
  for (const { name, open } of condensers) {
    const totals = { sent: 0, refused: 0, over: 0, breaks: 0 };
    for (const messages of sessions) {
      const windowTokens = Math.floor(WINDOW_SHARE * sizeOf(messages, counter));
      const { sent, refused } = await sendTurns(open(windowTokens), messages);
      totals.sent += sent.length;
      totals.refused += refused;
      totals.over += sent.filter((prompt) => sizeOf(prompt, counter) > windowTokens).length;
      totals.breaks += prefixBreaks(sent);
    }
    rows.push([name, ...Object.values(totals).map(String)]);
  }
  printTable(
    `Sessions that grow in a window of ${percent(WINDOW_SHARE)} of their tokens: ${kind}`,
    ["", "prompts", "refused", "over window", "cache breaks"],
    rows,
  );
}

/** Prompts over the window are counted as sent, but a vendor would reject them. */
async function sendTurns(fit: ReturnType<Condenser["open"]>, messages: readonly Message[]) {
  const ends = messages.flatMap(({ role }, at) => (role === "assistant" && at > 0 ? [at] : [])).slice(0, MAX_PROMPTS);
  const sent: (readonly Message[])[] = [];
  for (const end of ends) {
    const prompt = await fit(messages.slice(0, end)).catch(() => undefined);
    if (prompt !== undefined) sent.push(prompt);
  }
  return { sent, refused: ends.length - sent.length };
}

/** Counts prompts that do not start with the whole prompt before them. Each misses the vendor's cache. */
function prefixBreaks(prompts: readonly (readonly Message[])[]): number {
  const texts = prompts.map((prompt) => prompt.map((message) => JSON.stringify(message)));
  return texts.filter((text, at) => (texts[at - 1] ?? []).some((message, index) => message !== text[index])).length;
}
