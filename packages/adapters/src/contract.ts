import type { Answer, Ask, Condensation, LastRun, Projection, StrategyOptions } from "@longhaul/condense/advanced";
import { type Conversation, type Hash, LruMap } from "@longhaul/conversation/advanced";

/**
 * How conversations are made to fit. All options have defaults. `strategy` is a strategy or its id, by default `native` if a model writes
 * summaries, else `middle-out`; `full-history` changes nothing. `config` is its configuration.
 */
export type FittingOptions = FittingSettings & StrategyOptions;

/** The options of a fitting without its strategy. */
export interface FittingSettings {
  /** Most tokens of a condensed conversation. A conversation that exceeds it is condensed to just fit. @default computed from the window */
  readonly budget?: number;
  /** The model's context window. @default the catalog's value for the model */
  readonly windowTokens?: number;
  /** Reserved for the reply and later text. @default the call's output limit, else the model's, up to a fifth of the window */
  readonly reservedTokens?: number;
  /** Percent of the window, 5 to 100, at which a conversation is condensed. @default when it is nearly full */
  readonly thresholdPercent?: number;
  /** Stores condensed forms between turns. @default the latest thousand, in this process */
  readonly memory?: FormMemory;
  /** Called for each condensation. Its `report` has the passes and the cost. */
  readonly onCondensed?: (condensation: Condensation) => void;
  /** Called once for each model that the catalog does not list. @default `console.warn` */
  readonly onWarning?: (warning: string) => void;
  /** @default SHA-256 in plain JavaScript */
  readonly hash?: Hash;
}

export interface FittingCall {
  readonly conversation: Conversation;
  /** The model's id at its vendor. */
  readonly model: string;
  readonly maxOutputTokens?: number;
  /** The vendor's token count of an earlier prompt of this conversation. */
  readonly reported?: Reported;
  /** Writes summaries. Without it they are written without a model. */
  readonly summarize?: (ask: Ask) => Promise<ModelAnswer>;
}

/** The answer to an ask, and the id of the model that wrote it, for its price. */
export type ModelAnswer = Answer & { readonly model?: string };

export interface Reported {
  readonly tokens: number;
  /** How many messages of the conversation that prompt contained, in any form. */
  readonly messages: number;
}

/** A condensed conversation and its sizes, as plain JSON. Its text may quote the conversation. */
export interface Form extends LastRun {
  readonly projection: Projection;
}

/** Stores forms between turns. If several processes share it, prompt caches stay warm. */
export interface FormMemory {
  /** Returns the form of the first key that has one. The keys go from the whole conversation to its first message. */
  load(keys: readonly string[]): Form | undefined | Promise<Form | undefined>;
  save(key: string, form: Form): void | Promise<void>;
}

const MAX_FORMS = 1_000;

/** Makes a memory in this process that evicts the least recently used form. */
export function makeFormMemory(maxForms = MAX_FORMS): FormMemory {
  const forms = new LruMap<Form>(maxForms);
  return {
    load: (keys) => {
      for (const key of keys) {
        const form = forms.get(key);
        if (form === undefined) continue;
        forms.set(key, form);
        return form;
      }
      return undefined;
    },
    save: (key, form) => forms.set(key, form),
  };
}
