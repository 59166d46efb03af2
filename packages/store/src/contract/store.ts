import type { Projection } from "@longhaul/condense";
import type { Calibration } from "@longhaul/models/advanced";
import type { Changes, Leases } from "./coordination.ts";
import type { Contents, Events } from "./events.ts";
import type { Keys, Limits, SignIns } from "./keys.ts";
import type { Presets, StoredSettings } from "./settings.ts";

/**
 * Everything that outlives the process. Failures are `LonghaulError`s whose code begins with `store.`. Several stores may be open on the
 * same database, in one process or in many; each sees the others' writes.
 */
export interface Store {
  readonly epochs: Epochs;
  readonly fronts: Fronts;
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
  /** Messages for the operator about events since the store was opened. */
  notices(): readonly string[];
  /** Keeps everything written before. Closing twice is allowed; using a closed store throws `store.unavailable`. */
  close(): Promise<void>;
}

/**
 * The condensed beginning of a conversation, reused on later turns. It contains positions, hashes and generated text; a summary made
 * without a model quotes the conversation.
 */
export interface Epoch {
  /** Hash of owner, upstream, model, strategy and its configuration. Scopes share nothing. */
  readonly scope: string;
  /** Hash of all messages that it was made from, including every tool result. */
  readonly prefix: string;
  /** Hash of the replaced messages, without content that clients clear, and of the client's name for the conversation, if any. */
  readonly bound: string;
  readonly evidence: Evidence;
  readonly tenant: string;
  readonly session: string;
  readonly upstream: string;
  readonly model: string;
  readonly strategy: string;
  /** The first message that the projection covers: 0 for a condensation, more for references added to an earlier epoch. */
  readonly from: number;
  readonly projection: Projection;
  /** A placeholder, made mechanically while the summary was being written: any other epoch replaces it. */
  readonly isPlaceholder: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
  readonly costUsd: number;
  readonly madeAtMs: number;
}

/** Hashes of everything that an epoch was made from. A later request may reuse the epoch only if it proves to contain the same. */
export interface Evidence {
  /** Of the system prompt and tools; empty if its text was made without them. */
  readonly head: string;
  /** How many messages it was made from; the prefix covers exactly these. */
  readonly through: number;
  /** One for each replaced message: of the content that clients clear. */
  readonly messages: readonly string[];
}

/** Epochs by scope and prefix. An epoch whose projection has another version counts as absent. */
export interface Epochs {
  /**
   * Returns the epochs of a scope with one of up to several thousand prefixes or bound hashes, most messages first, then by prefix. Marks
   * them as used without waiting for the write.
   */
  find(scope: string, prefixes: readonly string[], bound?: readonly string[]): Promise<readonly Epoch[]>;
  /** Replaces the epoch with the same scope and prefix, but a placeholder replaces only a placeholder. */
  put(epoch: Epoch): Promise<void>;
  remove(scope: string, prefix: string): Promise<void>;
  /** Deletes the epochs that match all given fields, of any version, and returns how many. */
  clear(which: EpochSelection): Promise<number>;
  /**
   * Deletes epochs that were neither stored nor found since then, those of another version, and then the least recently used until the rest
   * takes up at most `maxBytes`. Returns how many. Uses are recorded to the minute: an epoch last used up to a minute earlier may stay.
   */
  prune(unusedSinceMs: number, maxBytes: number): Promise<number>;
}

/** Selects epochs by at least one of these fields. */
export type EpochSelection = { readonly tenant?: string; readonly session?: string; readonly scope?: string } & (
  | { readonly tenant: string }
  | { readonly session: string }
  | { readonly scope: string }
);

/** The beginning of a long request body, named by the hash of all its bytes. */
export interface FrontName {
  /** The format, and the hash of its whole blocks. */
  readonly key: string;
  /** Hash of the bytes after them. */
  readonly rest: string;
  /** Its length. */
  readonly bytes: number;
}

/** Facts about the beginnings of request bodies, so that another process need not read and count them again: hashes and numbers, no text. */
export interface Fronts {
  /** Returns up to a hundred fronts with one of these keys, longest first. */
  find(keys: readonly string[]): Promise<readonly FrontName[]>;
  read(front: FrontName): Promise<Uint8Array | undefined>;
  /** Replaces the facts of the same front, and deletes those of a shorter front that this one replaces. */
  put(front: FrontName, facts: Uint8Array, replaced?: FrontName): Promise<void>;
  /** Deletes fronts that were stored before, then the oldest until the rest takes up at most `maxBytes`. Returns how many. */
  prune(storedBeforeMs: number, maxBytes: number): Promise<number>;
}

/** The scope of a learned window. */
export interface WindowKey {
  readonly upstream: string;
  /** Hash of the credential, never the credential itself. */
  readonly credential: string;
  readonly model: string;
}

/** A context window learned from an overflow error. */
export interface LearnedWindow extends WindowKey {
  readonly windowTokens: number;
  readonly learnedAtMs: number;
}

/** The learned windows. Until it expires, a window only shrinks. */
export interface Windows {
  /** Returns the window unless it was learned earlier than this. */
  find(key: WindowKey, learnedSinceMs: number): Promise<LearnedWindow | undefined>;
  /** Stores the smaller window with the later time; if they are more than `WINDOW_LIFETIME_MS` apart, the later window. */
  learn(window: LearnedWindow): Promise<void>;
  forget(key: WindowKey): Promise<void>;
  /** Latest first, including expired ones. */
  list(): Promise<readonly LearnedWindow[]>;
}

/** How long a learned window applies: the vendor may raise it later. */
export const WINDOW_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The learned token ratio of a model at an upstream. */
export interface StoredCalibration {
  readonly upstream: string;
  readonly model: string;
  readonly state: Calibration;
}

/** The calibrations, one for each upstream and model. */
export interface Calibrations {
  load(): Promise<readonly StoredCalibration[]>;
  /** Replaces the calibration of the same upstream and model. */
  save(calibration: StoredCalibration): Promise<void>;
}
