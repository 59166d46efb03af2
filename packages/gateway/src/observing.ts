import type { ChangeFeed } from "@longhaul/admin";
import type { Contents, Events } from "@longhaul/store";
import type { Snapshots } from "./configuration/snapshot.ts";
import { forgetDaily } from "./events/forget-daily.ts";
import { openContentsKeeper } from "./events/keep-contents.ts";
import { notifyAll, type Observer } from "./events/observer.ts";
import { makeRecorder } from "./events/recorder.ts";
import type { Gate } from "./http/gate.ts";
import { openTelemetry } from "./telemetry/open-telemetry.ts";
import { joinPrometheus } from "./telemetry/prometheus.ts";

/** Everybody who is told of what happens. */
export interface Observing {
  readonly observer: Observer;
  /** Figures for Prometheus, those of siblings too; nothing where the operator wants none told. */
  metrics(): Promise<string | undefined>;
  /** Writes down what is waiting; the store stays open. */
  close(): Promise<void>;
}

/** What observing takes from outside. */
export interface ObservingOptions {
  readonly store: { readonly events: Events; readonly contents: Contents };
  readonly snapshots: Snapshots;
  readonly gate: Gate;
  readonly changes: ChangeFeed;
  readonly nowMs: () => number;
  /** @default there are none */
  readonly siblings?: Siblings | undefined;
}

/** Opens all that is told: the database, the metrics, the collector. */
export function openObserving({ store, snapshots, gate, changes, nowMs, siblings }: ObservingOptions): Observing {
  const { events, contents } = store;
  const settings = () => snapshots.current().config;
  const warn = (what: string) => snapshots.current().log.warned(what);
  const recorder = makeRecorder({
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
  const stopForgetting = forgetDaily({ events, contents, settings, nowMs, warn });
  return {
    observer: notifyAll([recorder, keeper, telemetry.observer]),
    metrics: async () => {
      if (!settings().telemetry.metrics) return undefined;
      const others = await siblings?.ask();
      return joinPrometheus([telemetry.prometheus(), ...(others ?? [])]);
    },
    close: async () => {
      stopAnswering?.();
      stopForgetting();
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
  answer(tell: () => string): () => void;
}
