import { existsSync, readdirSync, readFileSync } from "node:fs";
import { pureHash } from "@longhaul/conversation";
import { readLog } from "@longhaul/logs";
import { makeTokenCounters } from "@longhaul/models";
import { readPrompts } from "./logged-prompts.ts";
import { anchoredErrors, errorsAt, ratioAfter } from "./prompt-errors.ts";
import { percent, printTable, quantile } from "./table.ts";

const SESSIONS = new URL("../../../shared/data/sessions/", import.meta.url);
const REPLIES = 10;

const EXPLANATION = `
before     the family's shipped ratio; errors of all calls
after ${REPLIES}   the ratio as learnt from the first ${REPLIES} replies and then left alone; errors of all calls after them
anchored   learning goes on and each prompt is counted from the last reported one, as the gateway does; error of the whole prompt
Logs lack the system prompt and the tools. Their tokens are taken from the first call and left out of both sides, as is what came into
a prompt without being logged: a step that grew by less than half or more than twice of what its messages count. The Claude Code log
starts in mid-session, with 287K tokens that it does not hold.`;

/** Compares our counts with the usage that vendors reported in real sessions, where those are at hand. */
export async function printSessionErrors(): Promise<void> {
  if (!existsSync(SESSIONS)) {
    console.log("\nNo real sessions at hand: the error against reported usage is not measured.");
    return;
  }
  const counters = makeTokenCounters({ hash: pureHash });
  const rows: string[][] = [];
  for (const folder of ["pi", "claude-code"]) {
    for (const file of readdirSync(new URL(`${folder}/`, SESSIONS))) {
      const { prompts, unlogged } = readPrompts(
        readLog(readFileSync(new URL(`${folder}/${file}`, SESSIONS), "utf8")),
        await counters.counterFor("claude"),
      );
      const ratio = await ratioAfter(prompts.slice(0, REPLIES), counters);
      const before = await errorsAt(prompts, undefined, counters);
      const after = await errorsAt(prompts.slice(REPLIES), ratio, counters);
      const anchored = await anchoredErrors(prompts, counters);
      rows.push([
        folder,
        `${prompts.length}`,
        ...[before, after, anchored].flatMap((errors) => [percent(quantile(errors)), percent(quantile(errors, 0.9))]),
        ratio.toFixed(2),
        `${unlogged.steps} steps, ${Math.round(unlogged.tokens / 1000)}K`,
      ]);
    }
  }
  const pair = (name: string) => [name, "p90"];
  printTable(
    "Error of the counted prompt against the reported one: median and 90th percentile over calls",
    [
      "session",
      "calls",
      ...pair("before"),
      ...pair(`after ${REPLIES}`),
      ...pair("anchored"),
      "ratio",
      "not in the log",
    ],
    rows,
  );
  console.log(EXPLANATION);
}
