import { readFileSync, writeFileSync } from "node:fs";
import type { Conversation } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { condenseInSteps } from "../condense-in-steps.ts";
import type { Strategy } from "../contract/strategy.ts";
import { guideOf } from "../guides.ts";
import { renderMessages } from "../summaries/ask.ts";
import { finish, makePlan, settingsIn } from "./context.ts";
import { EXAMPLE_SESSION, exampleAnswer } from "./example-session.ts";

/** Content of a strategy's page. */
export interface StrategyPage {
  readonly strategy: Strategy;
  /** The configuration of the example, if the defaults do not suit such a short session. */
  readonly config?: object;
  readonly budgetTokens: number;
  /** The session of the example, if the usual one does not show the strategy's effect. */
  readonly session?: Conversation;
  /** Further generated parts of the page, by name. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** Compares the generated parts of `docs/strategies/<id>.md` with the code. Set `UPDATE_PAGES=1` to update them. */
export function describePage(page: StrategyPage): void {
  const url = new URL(`../../../../docs/strategies/${page.strategy.id}.md`, import.meta.url);
  describe(`docs/strategies/${page.strategy.id}.md`, () => {
    it.each([
      ["settings", settingsOf(page.strategy)],
      ["example", exampleOf(page)],
      ...Object.entries(page.parts ?? {}),
    ])("shows the current %s", (part, generated) => {
      const text = readFileSync(url, "utf8");
      const updated = text.replace(partPattern(part), (_, start, end) => `${start}\n${generated}\n${end}`);
      if (process.env.UPDATE_PAGES === "1") writeFileSync(url, updated);
      else expect(text).toBe(updated);
      expect(text).toMatch(partPattern(part));
    });
  });
}

function partPattern(part: string): RegExp {
  return new RegExp(`(<!-- ${part} -->)[\\s\\S]*(<!-- /${part} -->)`);
}

const settingSchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.unknown(),
  description: z.string(),
});

function settingsOf(strategy: Strategy): string {
  const rows = Object.entries(settingsIn(strategy)).map(([name, value]) => {
    const setting = settingSchema.parse(value);
    return `| \`${name}\` | ${valuesOf(setting)} | ${defaultOf(setting)} | ${setting.description} |`;
  });
  if (rows.length === 0) return "It has no settings.";
  return ["| setting | values | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function defaultOf({ type, default: value }: z.infer<typeof settingSchema>): string {
  return type === "object" || type === "array" ? "see below" : `\`${JSON.stringify(value)}\``;
}

function valuesOf({ type, enum: names, minimum, maximum }: z.infer<typeof settingSchema>): string {
  if (names !== undefined) return names.map((name) => `\`${name}\``).join(", ");
  if (type === "string") return "text";
  if (type === "object") return "object";
  if (type === "array") return "list";
  if (type === "boolean") return "`true`, `false`";
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return `${type === "integer" ? "whole number" : "number"} from ${minimum ?? 0}${isBounded ? ` to ${maximum}` : ""}`;
}

function exampleOf({ strategy, config, budgetTokens, session = EXAMPLE_SESSION }: StrategyPage): string {
  const { result } = finish(condenseInSteps(session, makePlan(strategy, budgetTokens, config)), exampleAnswer);
  const { report, conversation } = result;
  const settings = config === undefined ? "the default settings" : `\`${JSON.stringify(config)}\``;
  return [
    `With ${settings} and a budget of ${budgetTokens} tokens, ${session.messages.length} messages (${report.tokensBefore} tokens) become`,
    `${conversation.messages.length} messages (${report.tokensAfter} tokens). In this example, a token is four characters.`,
    "",
    "```text",
    renderMessages(conversation.messages),
    "```",
    "",
    "<details><summary>Before</summary>",
    "",
    "```text",
    renderMessages(session.messages),
    "```",
    "",
    "</details>",
  ].join("\n");
}

/** Returns the strategies that `docs/strategies/README.md` lacks or describes differently from their definitions. */
export function strategiesPageFaults(page: string, strategies: readonly Strategy[]): string[] {
  const tables = {
    words: tableUnder(page, "Strategies"),
    capabilities: tableUnder(page, "What each can do"),
    costs: tableUnder(page, "What each costs"),
    recalls: tableUnder(page, "What each keeps"),
  };
  const listed = [...tables.words.keys()];
  const unknown = listed.filter((id) => !strategies.some((strategy) => strategy.id === id));
  const wrong = strategies.flatMap((strategy) => {
    const { id } = strategy;
    const guide = guideOf(strategy);
    const isLinked = page.includes(`\n| [\`${id}\`](${id}.md) |`);
    const [, loses, chooseFor] = tables.words.get(id) ?? [];
    const isSame = [
      isLinked && loses === guide.loses && chooseFor === guide.chooseFor,
      tables.capabilities.get(id)?.join() === capabilitiesOf(strategy).join(),
      same(figuresOf(tables.costs.get(id), tables.recalls.get(id)), guide.figures),
    ];
    return isSame.includes(false) ? [id] : [];
  });
  return [...unknown, ...wrong];
}

/** Returns the cells of each table row under a heading, by strategy. */
function tableUnder(page: string, heading: string): ReadonlyMap<string, readonly string[]> {
  const section = page.split(/^#+ /m).find((text) => text.startsWith(heading)) ?? "";
  const rows = section.split("\n").filter((line) => /^\| \[?`/.test(line));
  return new Map(
    rows.map((row) => {
      const [first = "", ...cells] = row.split("|").slice(1, -1);
      return [/`([^`]+)`/.exec(first)?.[1] ?? "", cells.map((cell) => cell.trim())] as const;
    }),
  );
}

function capabilitiesOf(strategy: Strategy): string[] {
  const { lossless, multiPass, batchMode, individualMode, summarizes, speed } = strategy.capabilities;
  const signs = [lossless, multiPass, batchMode, individualMode, summarizes].map((can) => (can ? "✓" : "–"));
  const settings = Object.keys(settingsIn(strategy)).length;
  return [...signs, speed, String(settings)];
}

function figuresOf(costs: readonly string[] | undefined, recalls: readonly string[] | undefined): object | undefined {
  if (costs === undefined) return undefined;
  const [left = "", milliseconds, , , modelCalls, usd = ""] = costs;
  const figures = {
    tokensLeftPercent: Number.parseFloat(left),
    milliseconds: Number(milliseconds),
    modelCalls: Number(modelCalls),
    costUsd: Number(usd.replace("$", "")),
  };
  return recalls === undefined ? figures : { ...figures, recallAtQuarter: Number(recalls[2]) };
}

function same(listed: object | undefined, own: object | undefined): boolean {
  return JSON.stringify(listed) === JSON.stringify(own);
}
