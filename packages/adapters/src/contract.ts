import type { Answer, Ask, Condensation, LastRun, Projection, Strategy } from "@longhaul/condense";
import { type Conversation, type Hash, LruMap } from "@longhaul/conversation";

/** How conversations are made to fit. All of it may be left out. */
export interface FittingOptions {
  /**
   * A strategy or its id; `full-history` sends everything as it is, and the vendor answers. @default `native` where a model writes summaries,
   * else `middle-out`
   */
  readonly strategy?: string | Strategy;
  /** The strategy's own configuration; its defaults fill what is missing. */
  readonly config?: unknown;
  /** The model's context window. @default what the catalog says of the model */
  readonly windowTokens?: number;
  /**
   * What to keep free for the reply, and for what is added to the conversation on its way. @default the call's own limit, else the model's,
   * up to a fifth of the window
   */
  readonly reservedTokens?: number;
  /** Percent of the window, 5 to 100, from which a conversation is condensed. @default when it is nearly full */
  readonly thresholdPercent?: number;
  /** Where condensed forms are kept from turn to turn. @default in this process, the latest thousand */
  readonly memory?: FormMemory;
  /** Told of every condensation; its `report` says what was done and what it cost. */
  readonly onCondensed?: (condensation: Condensation) => void;
  /** @default SHA-256 in plain JavaScript */
  readonly hash?: Hash;
}

/** A call of a model that is about to be made. */
export interface FittingCall {
  readonly conversation: Conversation;
  /** The model's id, as its vendor spells it. */
  readonly model: string;
  readonly maxOutputTokens?: number;
  /** What the vendor said of an earlier prompt of this conversation. */
  readonly reported?: Reported;
  /** Writes summaries; without it they are made without a model. */
  readonly summarize?: (ask: Ask) => Promise<Answer>;
}

/** How many tokens a prompt had by the vendor's count. */
export interface Reported {
  readonly tokens: number;
  /** How many of the conversation's messages were sent, in whatever form. */
  readonly messages: number;
}

/**
 * What a conversation was condensed to, and what that came to, as plain JSON: positions, hashes, and what we or a model wrote, which may quote
 * the conversation.
 */
export interface Form extends LastRun {
  readonly projection: Projection;
}

/** Where forms are kept from turn to turn. One that several processes share keeps prompt caches warm whichever of them answers. */
export interface FormMemory {
  /** The form under the first of these keys that has one; they go from the whole conversation to its first message. */
  load(keys: readonly string[]): Form | undefined | Promise<Form | undefined>;
  save(key: string, form: Form): void | Promise<void>;
}

const MAX_FORMS = 1_000;

/** A memory in this process, which forgets what was not used for longest. */
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
