import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  answerAsks,
  budgetOf,
  type Condensation,
  condensing,
  describeReport,
  findStrategy,
  type Limits,
} from "@longhaul/condense";
import { type Conversation, isJsonObject, LonghaulError } from "@longhaul/conversation";
import type { OpenedLog } from "@longhaul/logs";
import { parse } from "yaml";
import { spellMessages } from "./condensed-messages.ts";
import { readInput, reasonOf } from "./read-input.ts";
import { openModels, type SessionModel, sha256 } from "./session-model.ts";
import { spellCount, styleOf } from "./style.ts";
import type { Terminal } from "./terminal.ts";

/** The flags of `longhaul condense`. */
export interface CondenseFlags {
  readonly strategy: string;
  /** Tokens that the result may have. */
  readonly budget?: number;
  /** Tokens of the window that the result is to fit, with room for a reply and for the conversation to go on. */
  readonly window?: number;
  /** A file with the strategy's settings. */
  readonly config?: string;
  readonly model?: string;
  readonly out?: string;
  readonly json?: true;
}

/** Condenses the conversation in a file, says what was done, and writes the result where it is asked to. */
export async function condenseFile(file: string, flags: CondenseFlags, terminal: Terminal): Promise<void> {
  const strategy = findStrategy(flags.strategy);
  const config =
    flags.config === undefined ? undefined : readStrategyConfig(resolve(terminal.folder, flags.config), strategy.id);
  const path = resolve(terminal.folder, file);
  const out = flags.out === undefined ? undefined : outputPath(flags.out, path, terminal);
  const opened = readInput(path, file);
  const model = await openModels().modelOf(opened.reading, flags.model);
  const done = await condenseTo(opened.reading.conversation, {
    strategy,
    config,
    limits: limitsOf(flags, model),
    model,
  });
  if (out !== undefined) writeOut(out, opened.write(done.conversation));
  const condensed: Condensed = { opened, model, done, warnings: warningsOf(opened.reading.warnings, model, done) };
  if (flags.json === true) terminal.write(`${JSON.stringify(asObject(file, condensed), null, 2)}\n`);
  else print(condensed, terminal);
  if (flags.out !== undefined && flags.json !== true) terminal.write(`Written to ${flags.out}.\n`);
}

interface Condensed {
  readonly opened: OpenedLog;
  readonly model: SessionModel;
  readonly done: Condensation;
  readonly warnings: readonly string[];
}

function asObject(file: string, { opened, model, done, warnings }: Condensed): object {
  const { strategy, tokensBefore, tokensAfter, passes, fallbacks, costUsd, savedUsd, milliseconds } = done.report;
  const { messages, warnings: unsaid, ...system } = spellMessages(opened, done.conversation, model);
  return {
    file,
    format: opened.reading.format,
    model: model.name ?? null,
    strategy,
    tokensBefore,
    tokensAfter,
    fits: done.fits,
    costUsd,
    savedUsd,
    milliseconds: Math.round(milliseconds),
    passes,
    fallbacks,
    warnings: [...warnings, ...unsaid],
    ...system,
    messages,
  };
}

function print({ opened, done, warnings }: Condensed, terminal: Terminal): void {
  const [before, after] = [opened.reading.conversation, done.conversation].map(({ messages }) =>
    spellCount(messages.length),
  );
  const left = `${before} → ${after} messages, ${spellCount(done.report.tokensAfter)} tokens are left`;
  terminal.write(`${describeReport(done.report)}\n - ${left}\n`);
  for (const warning of warnings) terminal.writeError(`${styleOf(terminal).bad("warning:")} ${warning}\n`);
}

interface Plan {
  readonly strategy: ReturnType<typeof findStrategy>;
  readonly config: unknown;
  readonly limits: Limits;
  readonly model: SessionModel;
}

const FALLBACKS = ["native", "middle-out"] as const;

async function condenseTo(
  conversation: Conversation,
  { strategy, config, limits, model }: Plan,
): Promise<Condensation> {
  const { counter } = model;
  const fallbacks = FALLBACKS.filter((id) => id !== strategy.id).map((id) => ({ strategy: findStrategy(id) }));
  const prices = model.model?.prices;
  const running = condensing(conversation, {
    choices: [{ strategy, config }, ...fallbacks],
    limits,
    counter,
    hash: sha256,
    now: () => performance.now(),
    ...(prices !== undefined && { prices }),
  });
  return await answerAsks(running, { counter });
}

/** The most of a window that is kept free for a reply. */
const OUTPUT_SHARE = 0.2;

function limitsOf({ budget, window }: CondenseFlags, { model }: SessionModel): Limits {
  if (budget !== undefined) return { windowTokens: budget, budgetTokens: budget, targetTokens: budget };
  const windowTokens = window ?? model?.window;
  if (windowTokens === undefined) {
    const remedy = "say with --budget or --window how much the result may have, or name a --model";
    throw new LonghaulError("settings.invalid", `the file names no model whose window would be known; ${remedy}`);
  }
  const share = Math.floor(OUTPUT_SHARE * windowTokens);
  return budgetOf({ windowTokens, reservedTokens: Math.min(model?.maxOutput ?? share, share) });
}

/** A file with the strategy's settings alone, or a configuration of the gateway that has them under `context.strategies`. */
function readStrategyConfig(file: string, id: string): unknown {
  const value = readYaml(file);
  if (!isJsonObject(value) || !isJsonObject(value.context)) return value;
  const { strategies } = value.context;
  return isJsonObject(strategies) ? strategies[id] : undefined;
}

function readYaml(file: string): unknown {
  try {
    const value: unknown = parse(readFileSync(file, "utf8"));
    return value;
  } catch (cause) {
    const [why = ""] = reasonOf(cause).split("\n");
    throw new LonghaulError("settings.invalid", `${file} cannot be read as YAML or JSON: ${why}`, { cause });
  }
}

function outputPath(out: string, input: string, { folder }: Terminal): string {
  const path = resolve(folder, out);
  if (path !== input) return path;
  throw new LonghaulError("settings.invalid", `--out names the file that is read, ${out}; name another one`);
}

function writeOut(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new LonghaulError("settings.invalid", `${path} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

function warningsOf(
  broken: readonly { readonly line: number; readonly message: string }[],
  { warning }: SessionModel,
  { fits, misfits, report }: Condensation,
): string[] {
  const over = misfits.map(
    ({ what, size, limit }) => `${what}: ${spellCount(size)} are left, ${spellCount(limit)} would fit`,
  );
  return [
    ...broken.map(({ line, message }) => `line ${line}: ${message}`),
    ...(warning === undefined ? [] : [warning]),
    ...report.warnings,
    ...(fits ? [] : over),
  ];
}
