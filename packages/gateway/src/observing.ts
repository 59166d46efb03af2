import type { ChangeFeed } from "@longhaul/admin";
import { DAY_MS, everyDay } from "@longhaul/fit";
import type { Config } from "@longhaul/settings";
import type { Contents, Events } from "@longhaul/store";
import type { Snapshots } from "./configuration/snapshot.ts";
import { openContentsKeeper } from "./events/keep-contents.ts";
import { notifyAll, type Observer } from "./events/observer.ts";
import { Recorder } from "./events/recorder.ts";
import type { Gate } from "./http/gate.ts";
import { openTelemetry } from "./telemetry/open-telemetry.ts";
import { joinPrometheus } from "./telemetry/prometheus.ts";

/** The observers of finished requests: database, stored contents, metrics and spans. */
export interface Observing {
  readonly observer: Observer;
  /** Returns the metrics of all workers for Prometheus; undefined if metrics are turned off. */
  metrics(): Promise<string | undefined>;
  /** Writes the queued events; the store stays open. */
  close(): Promise<void>;
}

export interface ObservingOptions {
  readonly store: { readonly events: Events; readonly contents: Contents };
  readonly snapshots: Snapshots;
  readonly gate: Gate;
  readonly changes: ChangeFeed;
  readonly nowMs: () => number;
  /** @default none */
  readonly siblings?: Siblings | undefined;
}

export function openObserving({ store, snapshots, gate, changes, nowMs, siblings }: ObservingOptions): Observing {
  const { events, contents } = store;
  const settings = () => snapshots.current().config;
  const warn = (what: string) => snapshots.current().log.warned(what);
  const recorder = new Recorder({
    events: publishing(events, changes),
    isEnabled: () => settings().events.enabled,
    warn,
    nowMs,
  });
  const keeper = openContentsKeeper({ contents, settings: () => settings().contents, nowMs, warn });
  const telemetry = openTelemetry({
    config: settings().telemetry,
    gauges: {
      underWay: () => [[[], gate.inside]],
      circuits: () => openCircuits(snapshots),
      eventsWaiting: () => [[[], recorder.counts().waiting]],
      eventsDropped: () => [[[], recorder.counts().dropped]],
      contentsDropped: () => [[[], keeper.dropped()]],
    },
    worker: siblings?.name,
    warn,
    nowMs,
  });
  const stopAnswering = siblings?.answer(telemetry.prometheus);
  const stopPruning = pruneDaily({ events, contents, settings, nowMs, warn });
  return {
    observer: notifyAll([recorder, keeper, telemetry.observer]),
    metrics: async () => {
      if (!settings().telemetry.metrics) return undefined;
      const others = await siblings?.ask();
      return joinPrometheus([telemetry.prometheus(), ...(others ?? [])]);
    },
    close: async () => {
      stopAnswering?.();
      stopPruning();
      await Promise.all([recorder.close(), keeper.close(), telemetry.close()]);
    },
  };
}

/** Publishes events once they can be read. */
function publishing(events: Events, changes: ChangeFeed): Pick<Events, "add"> {
  return {
    add: async (batch) => {
      await events.add(batch);
      if (batch.requests.length > 0) changes.publish("request");
      if (batch.condensations.length > 0) changes.publish("condensation");
    },
  };
}

function openCircuits(snapshots: Snapshots): readonly (readonly [string[], number])[] {
  const { handles } = snapshots.current();
  return [...handles].map(([id, all]) => [[id], all.some(({ circuit }) => circuit.isOpen) ? 1 : 0]);
}

/** The other workers that share this gateway's ports. A scrape reaches any of them, so each reports for all. */
export interface Siblings {
  /** This worker's name. */
  readonly name: string;
  /** Returns the other workers' answers, without those that are late. */
  ask(): Promise<readonly string[]>;
  /** Answers the other workers until the returned function is called. */
  answer(report: () => string): () => void;
}

interface PruneOptions {
  readonly events: Pick<Events, "prune">;
  readonly contents: Pick<Contents, "prune">;
  readonly settings: () => Pick<Config, "events" | "contents">;
  readonly nowMs: () => number;
  readonly warn: (what: string) => void;
}

const MIB = 1024 * 1024;

/** Deletes old events and contents in the background, now and then daily, until the returned function is called. */
export function pruneDaily({ events, contents, settings, nowMs, warn }: PruneOptions): () => void {
  let isStopped = false;
  const prune = async () => {
    const { events: eventSettings, contents: contentSettings } = settings();
    const now = nowMs();
    try {
      await events.prune(now - eventSettings.keepDays * DAY_MS);
      await contents.prune(now - contentSettings.keepDays * DAY_MS, contentSettings.maxMiB * MIB);
    } catch {
      if (!isStopped) warn("old events could not be deleted because the store failed; the next attempt is tomorrow");
    }
  };
  void prune();
  const stop = everyDay(() => void prune());
  return () => {
    isStopped = true;
    stop();
  };
}
