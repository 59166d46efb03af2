import { ANATOMY_PARTS, type Anatomy, anatomyOf } from "@longhaul/condense/advanced";
import { NO_USAGE, promptTokens } from "@longhaul/conversation/advanced";
import type { LogReading } from "@longhaul/logs";
import { formatCount } from "@longhaul/models/format";
import { formatPercent, PART_NAMES, pluralize, printJson, printWarnings, styleOf } from "../terminal/output.ts";
import { formatTable } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { userFile } from "../terminal/user-file.ts";
import { openModels, readInput, readingWarnings, type SessionModel } from "./read-session.ts";

export interface CountFlags {
  readonly model?: string;
  readonly json?: true;
}

export async function countFile(file: string, flags: CountFlags, terminal: Terminal): Promise<void> {
  const { reading } = await readInput(userFile(file, terminal), terminal);
  const model = await openModels().modelOf(reading, flags.model);
  const anatomy = anatomyOf(reading.conversation, model.counter);
  const warnings = readingWarnings(reading, model);
  const { format, conversation, calls } = reading;
  if (flags.json === true) {
    const about = {
      file,
      format,
      model: model.name ?? null,
      tokenizer: model.tokenizer,
      messages: conversation.messages.length,
    };
    const reported = longestReported(reading);
    const object = { ...about, calls: calls.length, ...anatomy, longestReportedPrompt: reported || null, warnings };
    printJson(object, terminal);
    return;
  }
  terminal.write(describe(file, { reading, model, anatomy }, terminal));
  printWarnings(warnings, terminal);
}

interface Counted {
  readonly reading: LogReading;
  readonly model: SessionModel;
  readonly anatomy: Anatomy;
}

function describe(file: string, { reading, model, anatomy }: Counted, terminal: Terminal): string {
  const style = styleOf(terminal);
  const { tokens, parts } = anatomy;
  const title = `${file}: ${reading.format}, ${pluralize(reading.conversation.messages.length, "message")}, ${model.name ?? `counted with ${model.tokenizer}`}`;
  const used = ANATOMY_PARTS.filter((part) => parts[part] > 0);
  const rows = used.map((part) => [
    PART_NAMES[part],
    formatCount(parts[part]),
    formatPercent(parts[part] / Math.max(1, tokens)),
  ]);
  const reported = longestReported(reading);
  const note =
    reported === 0
      ? ""
      : `Longest prompt reported in the log: ${formatCount(reported)} tokens, including content that is not logged.\n`;
  return `${title}\n${formatTable([["Tokens", formatCount(tokens), ""], ...rows], style)}${note}`;
}

function longestReported({ calls }: LogReading): number {
  return Math.max(0, ...calls.map(({ usage = NO_USAGE }) => promptTokens(usage)));
}
