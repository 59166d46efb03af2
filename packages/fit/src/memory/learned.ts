import { hash } from "node:crypto";
import { LruMap } from "@longhaul/conversation/advanced";
import {
  type Calibration,
  type CalibrationSample,
  calibrate,
  startCalibration,
  TOKENIZER_FAMILIES,
} from "@longhaul/models/advanced";
import { type LearnedWindow, WINDOW_LIFETIME_MS, type WindowKey } from "@longhaul/store";
import { clientCredential } from "@longhaul/upstream";
import type { Destination } from "../destinations/destination.ts";
import type { Call } from "../request/call.ts";
import type { TolerantStore } from "./tolerant-store.ts";

/** Facts learned from upstreams: how they count, and their windows. */
export interface Learned {
  /** Returns the model's tokens per token of its family's encoding. */
  ratio(destination: Destination): number;
  /** Returns whether a reply has taught the ratio yet. */
  hasLearned(destination: Destination): boolean;
  /** Learns from a reply's usage. Returns whether it taught anything. */
  count(destination: Destination, sample: CalibrationSample): boolean;
  /** Returns the window that an overflow error taught for this call's credential, until it expires. */
  window(call: Call, destination: Destination): number | undefined;
  /** Learns a window. One that is larger than the known window is ignored. */
  overflow(call: Call, destination: Destination, windowTokens: number): void;
  /** Returns the active windows, the latest first. */
  windows(): readonly LearnedWindow[];
  /** Reloads the windows, so that those deleted from the store are forgotten. A store that fails changes nothing. */
  reloadWindows(): Promise<void>;
  /** Returns whether this call's credential may not use the million-token beta. */
  isLongContextRefused(call: Call, destination: Destination): boolean;
  refuseLongContext(call: Call, destination: Destination): void;
  /** Returns whether this call's credential may not use compaction on demand. */
  isOnDemandRefused(call: Call, destination: Destination): boolean;
  refuseOnDemand(call: Call, destination: Destination): void;
}

type LearnedStore = Pick<TolerantStore, "windows" | "calibrations">;

/** Model names come from clients, so the oldest are evicted, and a long name counts as several. */
const MAX_MODELS = 10_000;
const NAME_CHARS = 1_000;

function nameWeight(_: unknown, name: string): number {
  return Math.ceil(name.length / NAME_CHARS);
}

/** Loads the learned facts. Writes run in the background. */
export async function openLearned(store: LearnedStore, nowMs: () => number, maxModels = MAX_MODELS): Promise<Learned> {
  const calibrations = new LruMap<Calibration>(maxModels, nameWeight);
  for (const { upstream, model, state } of await store.calibrations.load()) {
    calibrations.set(`${upstream}/${model}`, state);
  }
  const calibrationOf = (destination: Destination): Calibration => {
    const { ratio } = TOKENIZER_FAMILIES[destination.match.model.tokenizer];
    return calibrations.get(placeOf(destination)) ?? startCalibration(ratio);
  };
  const refusedLongContext = new LruMap<true>(maxModels, nameWeight);
  const refusedOnDemand = new LruMap<true>(maxModels, nameWeight);
  return {
    ...(await openWindows(store, nowMs, maxModels)),
    isLongContextRefused: (call, destination) => refusedLongContext.get(keyOf(windowKey(call, destination))) === true,
    refuseLongContext: (call, destination) => refusedLongContext.set(keyOf(windowKey(call, destination)), true),
    isOnDemandRefused: (call, destination) => refusedOnDemand.get(keyOf(windowKey(call, destination))) === true,
    refuseOnDemand: (call, destination) => refusedOnDemand.set(keyOf(windowKey(call, destination)), true),
    ratio: (destination) => stepped(calibrationOf(destination).ratio),
    hasLearned: (destination) => calibrationOf(destination).learnt > 0,
    count: (destination, sample) => {
      const before = calibrationOf(destination);
      const state = calibrate(before, sample);
      if (state === before) return false;
      calibrations.set(placeOf(destination), state);
      if (stepped(state.ratio) === stepped(before.ratio) && before.learnt + before.ignored > 0) return true;
      const { id } = destination.handle.connection.upstream;
      void store.calibrations.save({ upstream: id, model: destination.model, state });
      return true;
    },
  };
}

async function openWindows(
  store: LearnedStore,
  nowMs: () => number,
  maxModels: number,
): Promise<Pick<Learned, "window" | "overflow" | "windows" | "reloadWindows">> {
  let windows = new LruMap<LearnedWindow>(maxModels, nameWeight);
  const reloadWindows = async () => {
    const kept = await store.windows.list();
    if (kept === undefined) return;
    windows = new LruMap<LearnedWindow>(maxModels, nameWeight);
    for (const window of kept) windows.set(keyOf(window), window);
  };
  await reloadWindows();
  const holds = ({ learnedAtMs }: LearnedWindow) => learnedAtMs > nowMs() - WINDOW_LIFETIME_MS;
  const windowAt = (key: WindowKey): number | undefined => {
    const found = windows.get(keyOf(key));
    return found !== undefined && holds(found) ? found.windowTokens : undefined;
  };
  return {
    reloadWindows,
    windows: () => [...windows.values()].filter(holds).toSorted((a, b) => b.learnedAtMs - a.learnedAtMs),
    window: (call, destination) => windowAt(windowKey(call, destination)),
    overflow: (call, destination, taughtTokens) => {
      const key = windowKey(call, destination);
      const windowTokens = Math.min(taughtTokens, windowAt(key) ?? taughtTokens);
      const learned = { ...key, windowTokens, learnedAtMs: nowMs() };
      windows.set(keyOf(key), learned);
      void store.windows.learn(learned);
    },
  };
}

/** A ratio changes a little with every reply; with steps of a hundredth, earlier counts stay valid. */
const RATIO_STEPS = 100;

function stepped(ratio: number): number {
  return Math.round(ratio * RATIO_STEPS) / RATIO_STEPS;
}

function placeOf({ handle, model }: Destination): string {
  return `${handle.connection.upstream.id}/${model}`;
}

/** The credential itself is not stored. */
function windowKey({ headers }: Call, { handle, model }: Destination): WindowKey {
  const { id, auth } = handle.connection.upstream;
  const credential = auth.kind === "client" ? hash("sha256", clientCredential(headers) ?? "") : "configured";
  return { upstream: id, credential, model };
}

function keyOf({ upstream, credential, model }: WindowKey): string {
  return `${upstream}/${credential}/${model}`;
}
