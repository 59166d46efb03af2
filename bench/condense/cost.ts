import { type Answer, type Ask, condense, estimate, renderAsk, STRATEGIES, type Strategy } from "@longhaul/condense";
import { NO_USAGE } from "@longhaul/conversation/advanced";
import { costOf, type Prices, type TokenCounter } from "@longhaul/models";
import { type Random, seededRandom } from "../tokens/random.ts";
import { percent, printTable, quantile } from "../tokens/table.ts";
import { sha256 } from "./condense-to.ts";
import { makeSession } from "./generate.ts";

const RUNS = 50;
const PRICES: Prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, tiers: [] };
const NEAR = 0.2;

const CHEAP: Prices = { input: 0.15, output: 0.6, cacheRead: 0.015, cacheWrite: 0.15, cacheWriteHour: 0.15, tiers: [] };
const LONG_TOKENS = 200_000;

export async function printCost(counter: TokenCounter): Promise<void> {
  printEstimated(counter);
  await printErrors(counter);
}

function printEstimated(counter: TokenCounter): void {
  const conversation = makeSession(LONG_TOKENS);
  const budget = { windowTokens: counter.countConversation(conversation), reservedTokens: 0 };
  const rows = STRATEGIES.map((strategy) => {
    const { id } = strategy;
    const estimateAt = (prices: Prices) =>
      estimate(conversation, { budget, counter, strategy, fallbacks: [], prices, hash: sha256 });
    const { asks, costUsd = 0 } = estimateAt(PRICES);
    return [id, String(asks), `$${costUsd.toFixed(3)}`, `$${(estimateAt(CHEAP).costUsd ?? 0).toFixed(3)}`];
  });
  const price = ({ input, output }: Prices) => `$${input} / $${output}`;
  printTable(
    `Cost of condensing ${budget.windowTokens} tokens to half, by price per million input and output tokens`,
    ["strategy", "summaries", price(PRICES), price(CHEAP)],
    rows,
  );
}

/** Compares the estimated cost of a condensation with the actual one, for summaries of 0.5 to 1.5 times the requested length. */
async function printErrors(counter: TokenCounter): Promise<void> {
  const rows: string[][] = [];
  const all: number[] = [];
  for (const strategy of STRATEGIES.filter(({ capabilities }) => capabilities.speed === "slow")) {
    const { id } = strategy;
    const errors: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      process.stderr.write(`\r\u001b[Kcost: ${id}, ${run + 1} of ${RUNS}`);
      errors.push(await errorOf(strategy, { run, counter }));
    }
    all.push(...errors);
    rows.push(rowOf(id, errors));
  }
  process.stderr.write("\r\u001b[K");
  printTable(
    "Estimated cost compared with the actual cost, summaries of varying length",
    ["strategy", "runs", "median error", "90th percentile", `within ${percent(NEAR)}`],
    [...rows, rowOf("all", all)],
  );
}

function rowOf(name: string, errors: readonly number[]): string[] {
  const near = errors.filter((error) => error <= NEAR).length / errors.length;
  return [name, String(errors.length), percent(quantile(errors)), percent(quantile(errors, 0.9)), percent(near)];
}

async function errorOf(strategy: Strategy, { run, counter }: { run: number; counter: TokenCounter }): Promise<number> {
  const random = seededRandom(run);
  const conversation = makeSession(15_000 + 100_000 * random() ** 2, run);
  const budget = { windowTokens: counter.countConversation(conversation), reservedTokens: 0 };
  const options = { budget, counter, strategy, fallbacks: [], prices: PRICES, hash: sha256 };
  const { costUsd: estimated = 0 } = estimate(conversation, options);
  const summarize = async (ask: Ask) => write(ask, random, counter);
  const { report } = await condense(conversation, { ...options, summarize });
  return Math.abs(estimated / (report.costUsd ?? 0) - 1);
}

/** A summary that a model might write for a requested length. */
function write(ask: Ask, random: Random, counter: TokenCounter): Answer {
  const length = Math.max(1, Math.round(ask.expectedTokens * (0.5 + random())));
  const outputTokens = Math.min(ask.maxTokens, length);
  const usage = { ...NO_USAGE, inputTokens: counter.countText(renderAsk(ask)), outputTokens };
  return { kind: "text", text: "word ".repeat(outputTokens), usage, costUsd: costOf(usage, PRICES) };
}
