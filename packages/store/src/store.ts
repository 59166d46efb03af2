import type { Projection } from "@longhaul/condense";
import type { Calibration } from "@longhaul/models";
import type { Changes, Leases } from "./contract/coordination.ts";
import type { Contents, Events } from "./contract/events.ts";
import type { Keys, Limits, SignIns } from "./contract/keys.ts";
import type { Presets, StoredSettings } from "./contract/settings.ts";

/**
 * What outlives the process. What cannot be read or written is a `LonghaulError` whose code begins with `store.`. Several stores may be
 * open on the same database, in one process or in many; each sees what the others wrote.
 */
export interface Store {
  readonly epochs: Epochs;
  readonly windows: Windows;
  readonly calibrations: Calibrations;
  readonly settings: StoredSettings;
  readonly presets: Presets;
  readonly keys: Keys;
  readonly limits: Limits;
  readonly events: Events;
  readonly contents: Contents;
  readonly leases: Leases;
  readonly signIns: SignIns;
  readonly changes: Changes;
  /** What the operator is to know of what became of it since it was opened. */
  notices(): readonly string[];
  /** Whatever was written before is kept. Closing twice is fine; using a closed store is `store.unavailable`. */
  close(): Promise<void>;
}

/** What was done to the beginning of a conversation, to be done again on later turns. It holds positions, hashes and what was written for it: a summary made without a model quotes the conversation. */
export interface Epoch {
  /** Hash of its owner, upstream, model, strategy and its configuration: nothing is shared between two scopes. */
  readonly scope: string;
  /** Hash of all messages that it was made from, every tool result included. */
  readonly prefix: string;
  /** Hash of the messages that it replaces, without content that clients clear, and of the client's name for the conversation; empty without one. */
  readonly bound: string;
  readonly evidence: Evidence;
  readonly tenant: string;
  readonly session: string;
  readonly upstream: string;
  readonly model: string;
  readonly strategy: string;
  /** The first message that its projection speaks of: 0 for a condensation, more for what one turn added to an earlier epoch. */
  readonly from: number;
  readonly projection: Projection;
  /** Made mechanically while a summary was still being written: it gives way to any other. */
  readonly isStandIn: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
  readonly costUsd: number;
  readonly madeAtMs: number;
}

/** Hashes of everything that an epoch was made from: a later request may reuse it only if it proves to hold the same. */
export interface Evidence {
  /** Of the system prompt and tools; empty if its text was made without them. */
  readonly head: string;
  /** How many messages it was made from; the prefix stands for exactly these. */
  readonly through: number;
  /** Of each message that it stands for: the content that clients clear. */
  readonly messages: readonly string[];
}

/** The epochs, known by scope and prefix. One whose projection is of another version than today's counts as absent. */
export interface Epochs {
  /**
   * Those of a scope whose prefix is among up to several thousand, or whose bound hash is among as many, most messages first, then by
   * prefix. Marks them as used, without waiting until that is written.
   */
  find(scope: string, prefixes: readonly string[], bound?: readonly string[]): Promise<readonly Epoch[]>;
  /** Takes the place of the one with the same scope and prefix, except that a stand-in replaces only a stand-in. */
  put(epoch: Epoch): Promise<void>;
  remove(scope: string, prefix: string): Promise<void>;
  /** Removes those that match all that is given, of any version, and says how many they were. */
  clear(which: EpochSelection): Promise<number>;
  /**
   * Forgets what was neither put nor found since, what is of another version, and, the longest unused first, projections that are over
   * `maxBytes` in all. Says how many they were. Uses are kept to the minute: what was last used up to a minute before may stay.
   */
  prune(unusedSinceMs: number, maxBytes: number): Promise<number>;
}

/** Epochs by what they belong to; at least one of the three is given. */
export type EpochSelection = { readonly tenant?: string; readonly session?: string; readonly scope?: string } & (
  | { readonly tenant: string }
  | { readonly session: string }
  | { readonly scope: string }
);

/** What a learned window holds for. */
export interface WindowKey {
  readonly upstream: string;
  /** Hash of the credential, never the credential. */
  readonly credential: string;
  readonly model: string;
}

/** A context window that an overflow error taught. */
export interface LearnedWindow extends WindowKey {
  readonly windowTokens: number;
  readonly learnedAtMs: number;
}

/** The learned windows. Until it expires, one only gets smaller. */
export interface Windows {
  /** The one of this key, unless it was learned before. */
  find(key: WindowKey, learnedSinceMs: number): Promise<LearnedWindow | undefined>;
  /** Keeps the smaller of the known and the new with the later time; of two that lie over `WINDOW_LIFETIME_MS` apart, the later. */
  learn(window: LearnedWindow): Promise<void>;
  forget(key: WindowKey): Promise<void>;
  /** All of them, expired ones too, the latest first. */
  list(): Promise<readonly LearnedWindow[]>;
}

/** How long a learned window holds: a vendor may have raised it since. */
export const WINDOW_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What was learned of a model's token count at an upstream. */
export interface StoredCalibration {
  readonly upstream: string;
  readonly model: string;
  readonly state: Calibration;
}

/** The calibrations, one for each upstream and model. */
export interface Calibrations {
  load(): Promise<readonly StoredCalibration[]>;
  /** Takes the place of the one with the same upstream and model. */
  save(calibration: StoredCalibration): Promise<void>;
}
