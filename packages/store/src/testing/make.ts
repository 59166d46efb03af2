import { PROJECTION_VERSION, type Projection } from "@longhaul/condense";
import { makeAssistant } from "@longhaul/conversation/testing";
import type { Content } from "../contract/contents.ts";
import type { StoredKey } from "../contract/keys.ts";
import type { Lease } from "../contract/leases.ts";
import type { LimitEntry } from "../contract/limits.ts";
import type { StoredPreset } from "../contract/presets.ts";
import type { SettingsChange } from "../contract/settings.ts";
import type { Epoch, LearnedWindow, StoredCalibration } from "../store.ts";

/** A projection that replaces all but the last of so many messages by a summary. */
export function makeProjection(messages = 10): Projection {
  return {
    version: PROJECTION_VERSION,
    messages,
    entries: [
      {
        kind: "made",
        from: 0,
        to: messages - 1,
        message: makeAssistant(`The first ${messages - 1} messages, in short.`),
      },
      { kind: "keep", from: messages - 1, to: messages },
    ],
  };
}

/** A projection as an older version may have left it. */
export function makeOldProjection(messages = 10): Projection {
  return JSON.parse(JSON.stringify({ ...makeProjection(messages), version: PROJECTION_VERSION - 1 }));
}

/** An epoch of one tenant's only session. */
export function makeEpoch(fields: Partial<Epoch> = {}): Epoch {
  return {
    scope: "scope",
    prefix: "prefix",
    tenant: "tenant",
    session: "session",
    upstream: "claude",
    model: "claude-opus-4-6",
    strategy: "native",
    from: 0,
    projection: makeProjection(),
    isStandIn: false,
    tokensBefore: 180_000,
    tokensAfter: 21_300,
    targetTokens: 100_000,
    costUsd: 0.0123,
    madeAtMs: 1_760_000_000_000,
    ...fields,
  };
}

/** A window that is learned at the beginning of time. */
export function makeWindow(fields: Partial<LearnedWindow> = {}): LearnedWindow {
  return {
    upstream: "local",
    credential: "c0ffee",
    model: "small-model",
    windowTokens: 32_768,
    learnedAtMs: 0,
    ...fields,
  };
}

/** A calibration that has learned from one reply. */
export function makeCalibration(fields: Partial<StoredCalibration> = {}): StoredCalibration {
  return { upstream: "claude", model: "claude-opus-4-6", state: { ratio: 1.25, learnt: 1, ignored: 0 }, ...fields };
}

/** One setting that ada changes. */
export function makeSettingsChange(fields: Partial<SettingsChange> = {}): SettingsChange {
  return { entries: [{ path: "context.strategy", value: "smart" }], by: "ada", atMs: 5, ...fields };
}

/** A preset with a configuration. */
export function makePreset(fields: Partial<StoredPreset> = {}): StoredPreset {
  return {
    name: "careful",
    description: "Keeps the most",
    strategy: "smart",
    config: { references: "results" },
    changedAtMs: 1_760_000_000_000,
    ...fields,
  };
}

/** A key without limits. */
export function makeKey(fields: Partial<StoredKey> = {}): StoredKey {
  return {
    id: "id",
    name: "laptop",
    hash: "hash",
    hint: "lh-3f9a",
    tenant: "tenant",
    limits: {},
    context: {},
    createdAtMs: 1_760_000_000_000,
    ...fields,
  };
}

/** A request of a key without limits, at the beginning of time and for a minute. */
export function makeLimitEntry(fields: Partial<LimitEntry> = {}): LimitEntry {
  return { keyId: "key", requestId: "request", limits: {}, nowMs: 0, expiresAtMs: 60_000, ...fields };
}

/** A turn of a second. */
export function makeLease(fields: Partial<Lease> = {}): Lease {
  return { name: "summary", holder: "holder", nowMs: 0, untilMs: 1_000, ...fields };
}

/** What a request said that was sent as it came. */
export function makeContent(fields: Partial<Content> = {}): Content {
  return {
    requestId: "request",
    tenant: "tenant",
    session: "session",
    atMs: 1_760_000_000_000,
    wire: "anthropic-messages",
    sentWire: "openai-chat",
    before: new Uint8Array([31, 139, 0, 255]),
    ...fields,
  };
}
