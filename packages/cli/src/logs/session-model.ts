import { hash } from "node:crypto";
import { type LogReading, typicalOf } from "@longhaul/logs";
import { findModel, loadCatalog, type Model, makeTokenCounters, type TokenCounter } from "@longhaul/models";

/** The model that a session is measured for. */
export interface SessionModel {
  /** Its name, as the log or the flag says it; absent where neither does. */
  readonly name?: string;
  /** What the catalog knows of it; absent where nobody named one. */
  readonly model?: Model;
  readonly counter: TokenCounter;
  readonly tokenizer: Model["tokenizer"];
  /** What had to be assumed. */
  readonly warning?: string;
}

/** Where the models of sessions are found. Keep one: it holds the vocabularies, and knows messages again. */
export interface SessionModels {
  /** The model of a session: the one that is asked for, else the one that most of its calls went to. */
  modelOf(reading: LogReading, asked?: string): Promise<SessionModel>;
  /** A counter for the same tokenizer that gives so many tokens for one of its encoding. */
  counterAt(model: SessionModel, ratio: number): Promise<TokenCounter>;
}

/** Loads what is known of models. */
export function openModels(): SessionModels {
  const catalog = loadCatalog();
  const counters = makeTokenCounters({ hash: sha256 });
  return {
    async modelOf(reading, asked) {
      const name = asked ?? commonest(reading.calls.flatMap(({ model }) => model ?? [])) ?? reading.model;
      if (name === undefined) {
        const { tokenizer } = findModel(catalog, typicalOf(reading.format).model).model;
        return unnamed(tokenizer, await counters.counterFor(tokenizer));
      }
      const { model, warning } = findModel(catalog, name);
      const counter = await counters.counterFor(model.tokenizer);
      return { name, model, counter, tokenizer: model.tokenizer, ...(warning !== undefined && { warning }) };
    },
    counterAt: ({ tokenizer }, ratio) => counters.counterFor(tokenizer, ratio),
  };
}

/** SHA-256 cut to 128 bits, by the platform: what the gateway uses. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

function unnamed(tokenizer: Model["tokenizer"], counter: TokenCounter): SessionModel {
  const warning = `no model is named; tokens are counted as ${tokenizer} does, and there are no prices (--model names one)`;
  return { counter, tokenizer, warning };
}

/** What is to be said of a session that was read: lines that could not be, and what had to be assumed of its model. */
export function readingWarnings({ warnings }: LogReading, { warning }: SessionModel): string[] {
  const skipped = warnings.map(({ line, message }) => `line ${line}: ${message}`);
  return warning === undefined ? skipped : [...skipped, warning];
}

function commonest(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
