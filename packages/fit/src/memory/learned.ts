import { hash } from "node:crypto";
import { LruMap } from "@longhaul/conversation";
import {
  type Calibration,
  type CalibrationSample,
  calibrate,
  startCalibration,
  TOKENIZER_FAMILIES,
} from "@longhaul/models";
import { type LearnedWindow, WINDOW_LIFETIME_MS, type WindowKey } from "@longhaul/store";
import { clientCredential } from "@longhaul/upstream";
import type { Destination } from "../destinations/destination.ts";
import type { Call } from "../request/call.ts";
import type { TolerantStore } from "./tolerant-store.ts";

/** What upstreams have taught us: how they count, and how much they take. */
export interface Learned {
  /** Tokens of the model at this upstream for one of its family's encoding. */
  ratio(destination: Destination): number;
  /** Whether any reply has taught that yet. */
  hasLearned(destination: Destination): boolean;
  /** Learns from what a reply reports. Tells whether that said anything. */
  count(destination: Destination, lesson: CalibrationSample): boolean;
  /** The window that an overflow error taught for whoever pays for this call, while that holds. */
  window(call: Call, destination: Destination): number | undefined;
  /** Learns a window; one that is larger than what is known teaches nothing. */
  overflow(call: Call, destination: Destination, windowTokens: number): void;
  /** The windows that hold now, the latest first. */
  windows(): readonly LearnedWindow[];
  /** Reads the windows again: what was forgotten in the store is forgotten here. A store that fails changes nothing. */
  reloadWindows(): Promise<void>;
  /** Whether whoever pays for this call may not use the million-token beta there. */
  isLongContextRefused(call: Call, destination: Destination): boolean;
  refuseLongContext(call: Call, destination: Destination): void;
}

/** What learning uses of a store. */
type LessonStore = Pick<TolerantStore, "windows" | "calibrations">;

/** Names of models come from clients: what was learned longest ago gives way. */
const MAX_MODELS = 10_000;

/** Loads what was learned before. Writing goes on in the background. */
export async function openLearned(store: LessonStore, nowMs: () => number, maxModels = MAX_MODELS): Promise<Learned> {
  const calibrations = new LruMap<Calibration>(maxModels);
  for (const { upstream, model, state } of await store.calibrations.load()) {
    calibrations.set(`${upstream}/${model}`, state);
  }
  const calibrationOf = (destination: Destination): Calibration => {
    const { ratio } = TOKENIZER_FAMILIES[destination.match.model.tokenizer];
    return calibrations.get(placeOf(destination)) ?? startCalibration(ratio);
  };
  const refusedLongContext = new LruMap<true>(maxModels);
  return {
    ...(await openWindows(store, nowMs, maxModels)),
    isLongContextRefused: (call, destination) => refusedLongContext.get(keyOf(windowKey(call, destination))) === true,
    refuseLongContext: (call, destination) => refusedLongContext.set(keyOf(windowKey(call, destination)), true),
    ratio: (destination) => stepped(calibrationOf(destination).ratio),
    hasLearned: (destination) => calibrationOf(destination).learnt > 0,
    count: (destination, lesson) => {
      const before = calibrationOf(destination);
      const state = calibrate(before, lesson);
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
  store: LessonStore,
  nowMs: () => number,
  maxModels: number,
): Promise<Pick<Learned, "window" | "overflow" | "windows" | "reloadWindows">> {
  let windows = new LruMap<LearnedWindow>(maxModels);
  const reloadWindows = async () => {
    const kept = await store.windows.list();
    if (kept === undefined) return;
    windows = new LruMap(maxModels);
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

/** A ratio moves a little with every reply; in steps of a hundredth, what was counted stays counted. */
const RATIO_STEPS = 100;

function stepped(ratio: number): number {
  return Math.round(ratio * RATIO_STEPS) / RATIO_STEPS;
}

function placeOf({ handle, model }: Destination): string {
  return `${handle.connection.upstream.id}/${model}`;
}

/** The credential itself is not kept. */
function windowKey({ headers }: Call, { handle, model }: Destination): WindowKey {
  const { id, auth } = handle.connection.upstream;
  const credential = auth.kind === "client" ? hash("sha256", clientCredential(headers) ?? "") : "configured";
  return { upstream: id, credential, model };
}

function keyOf({ upstream, credential, model }: WindowKey): string {
  return `${upstream}/${credential}/${model}`;
}
