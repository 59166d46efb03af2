import {
  answerAsks,
  type Condensation,
  condenseInSteps,
  describeMisfit,
  describeReport,
  exactBudget,
  findStrategy,
  modelFacts,
  type PlanOptions,
  planCondensation,
  renderMessages,
  replyOptions,
} from "@longhaul/condense/advanced";
import {
  type Conversation,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  parseJsonText,
} from "@longhaul/conversation/advanced";
import type { OpenedLog } from "@longhaul/logs";
import { formatCount } from "@longhaul/models/format";
import { codecOf, findCodec, systemAsUser } from "@longhaul/wire";
import { invalid } from "../terminal/invalid.ts";
import type { TokenBudget } from "../terminal/options.ts";
import { printJson, printWarnings } from "../terminal/output.ts";
import { readYaml } from "../terminal/read-yaml.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type UserFile, userFile, writeText } from "../terminal/user-file.ts";
import { openModels, readInput, readingWarnings, type SessionModel, sha256 } from "./read-session.ts";

export interface CondenseFlags {
  readonly strategy: string;
  readonly budget?: TokenBudget;
  /** Tokens of the window to fit, with room for a reply and for further turns. */
  readonly window?: number;
  readonly config?: string;
  readonly model?: string;
  readonly out?: string;
  /** Print the conversation instead of the report. */
  readonly print?: true;
  readonly json?: true;
}

export async function condenseFile(file: string, flags: CondenseFlags, terminal: Terminal): Promise<void> {
  const { id } = findStrategy(flags.strategy);
  const config = flags.config === undefined ? undefined : strategyConfig(userFile(flags.config, terminal), id);
  const input = userFile(file, terminal);
  const out = flags.out === undefined ? undefined : userFile(flags.out, terminal);
  if (out?.path === input.path) throw invalid(`--out would overwrite the input, ${out.name}; choose another file`);
  const opened = await readInput(input, terminal);
  const model = await openModels().modelOf(opened.reading, flags.model);
  const size = { ...sizeOf(flags, model, opened.reading.conversation), ...replyOptions(opened.reading.limits) };
  const options = { ...size, strategy: id, configs: { [id]: config } };
  const done = await condense(opened.reading.conversation, options, model);
  if (out !== undefined) writeText(out, opened.write(acceptable(done.conversation, opened, model)));
  const warnings = [...readingWarnings(opened.reading, model), ...resultWarnings(done)];
  const condensed: Condensed = { opened, model, done, warnings };
  if (flags.json === true) printJson(asObject(file, condensed), terminal);
  else if (flags.print === true) terminal.write(`${render(done.conversation)}\n`);
  else print(condensed, terminal);
  if (out !== undefined && flags.json !== true && flags.print !== true) terminal.write(`Written to ${out.name}.\n`);
}

interface Condensed {
  readonly opened: OpenedLog;
  readonly model: SessionModel;
  readonly done: Condensation;
  readonly warnings: readonly string[];
}

function asObject(file: string, { opened, model, done, warnings }: Condensed): object {
  const {
    strategy,
    tokensBefore,
    tokensAfter,
    passes,
    fallbacks,
    costUsd,
    savedPerCallUsd,
    milliseconds = 0,
    unused,
  } = done.report;
  const { messages, warnings: unsaid, ...system } = encodeMessages(opened, done.conversation, model);
  return {
    file,
    format: opened.reading.format,
    model: model.name ?? null,
    strategy,
    tokensBefore,
    tokensAfter,
    fits: done.fits,
    costUsd,
    savedPerCallUsd,
    milliseconds: Math.round(milliseconds),
    unused: unused ?? null,
    passes,
    fallbacks,
    warnings: [...warnings, ...unsaid],
    ...system,
    messages,
  };
}

function render({ system, messages }: Conversation): string {
  return renderMessages([...(system.length === 0 ? [] : [{ role: "system" as const, blocks: system }]), ...messages]);
}

function print({ opened, done, warnings }: Condensed, terminal: Terminal): void {
  const [before, after] = [opened.reading.conversation, done.conversation].map(({ messages }) =>
    formatCount(messages.length),
  );
  const [tokensBefore, tokensAfter] = [done.report.tokensBefore, done.report.tokensAfter].map(formatCount);
  const sizes = `${before} → ${after} messages, ${tokensBefore} → ${tokensAfter} tokens`;
  const { report, fits } = done;
  const isUnchanged = fits && report.tokensAfter === report.tokensBefore && report.warnings.length === 0;
  terminal.write(
    isUnchanged
      ? `Nothing was condensed: the conversation fits, with ${tokensAfter} tokens in ${after} messages.\n`
      : `${describeReport(done.report)}\n - ${sizes}\n`,
  );
  printWarnings(
    warnings.filter((warning) => !done.report.warnings.includes(warning)),
    terminal,
  );
}

async function condense(conversation: Conversation, options: PlanOptions, { model, counter }: SessionModel) {
  const plan = planCondensation({ ...options, ...(model && { model: modelFacts(model) }) });
  const running = condenseInSteps(conversation, { ...plan, counter, hash: sha256, now: () => performance.now() });
  return await answerAsks(running, { counter });
}

function sizeOf({ budget, window }: CondenseFlags, { model, counter }: SessionModel, conversation: Conversation) {
  if (budget !== undefined) {
    const share = "share" in budget ? budget.share * counter.countConversation(conversation) : budget.tokens;
    const tokens = Math.max(1, Math.floor(share));
    return { windowTokens: tokens, budget: exactBudget(tokens) };
  }
  const windowTokens = window ?? model?.window;
  if (windowTokens === undefined) {
    const remedy = "choose a size with --budget or --window, or a model with --model";
    throw invalid(`the file names no model with a known context window; ${remedy}`);
  }
  return { windowTokens };
}

/** Reads the strategy's settings: the whole file, or `context.strategies` in a configuration of the gateway. */
function strategyConfig(file: UserFile, id: string): unknown {
  const value = readYaml(file);
  if (!isJsonObject(value) || !isJsonObject(value.context)) return value;
  const { strategies } = value.context;
  return isJsonObject(strategies) ? strategies[id] : undefined;
}

function resultWarnings({ fits, misfits, report }: Condensation): string[] {
  return [...report.warnings, ...(fits ? [] : misfits.map(describeMisfit))];
}

export interface EncodedMessages {
  readonly messages: JsonValue;
  /** The system prompt, if the input is a log and the format has a separate field for it. */
  readonly system?: JsonValue;
  /** Content that the format could not express unchanged. */
  readonly warnings: readonly string[];
}

/** Encodes a condensed conversation: a log as Anthropic messages that can be sent, anything else in the input's format. */
export function encodeMessages(opened: OpenedLog, conversation: Conversation, model: SessionModel): EncodedMessages {
  const codec = findCodec(opened.reading.format);
  if (codec === undefined) return asAnthropic(conversation, model);
  const written: JsonValue = parseJsonText(opened.write(acceptable(conversation, opened, model)));
  if (isJsonArray(written) || !isJsonObject(written)) return { messages: written, warnings: [] };
  // Gemini CLI saves the contents of a conversation as its `history`.
  return { messages: written[codec.messagesField] ?? written.history ?? [], warnings: [] };
}

/** Returns a conversation that can be sent: a summary is a system message, unless the model rejects those after the start. */
function acceptable(conversation: Conversation, { reading }: OpenedLog, { model }: SessionModel): Conversation {
  const isLog = findCodec(reading.format) === undefined;
  if (isLog || model?.rejects.includes("system-message") !== true) return conversation;
  const messages = conversation.messages.map((message) =>
    message.role === "system" ? systemAsUser(message) : message,
  );
  return { ...conversation, messages };
}

function asAnthropic(conversation: Conversation, { name = "claude" }: SessionModel): EncodedMessages {
  const request = { model: name, conversation, stream: false, sampling: {} };
  const { body, warnings } = codecOf("anthropic-messages").encodeRequest(request, { model: name });
  return {
    messages: body.messages ?? [],
    ...(body.system !== undefined && { system: body.system }),
    warnings: [...new Set(warnings.map(({ message }) => message))],
  };
}
