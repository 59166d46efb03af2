/** The gateway's live events: each has a kind, such as `request` or `settings`. */
export interface LiveFeed {
  /** Connects; the returned function disconnects. Calls `onRefused` when the response is not an event stream. */
  start(onRefused: () => void): () => void;
  /** Calls back on events of these kinds, at most once per `BATCH_MS`, and after a reconnect. */
  listen(kinds: readonly string[], onEvent: () => void): () => void;
  /** Calls back with whether the gateway is connected, now and on every change. */
  watch(onChange: (isConnected: boolean) => void): () => void;
}

interface LiveFeedOptions {
  /** Connects and reconnects; the returned function disconnects. */
  readonly connect: (url: string, handlers: StreamHandlers) => () => void;
  readonly later: (act: () => void, ms: number) => void;
}

export interface StreamHandlers {
  readonly onOpen: () => void;
  readonly onLost: () => void;
  readonly onRefused: () => void;
  readonly onMessage: (data: string) => void;
}

/** Events are batched for this long, because a busy gateway sends hundreds per second. */
const BATCH_MS = 400;

export function openLiveFeed({ connect, later }: LiveFeedOptions = BROWSER): LiveFeed {
  const listeners = new Set<{ readonly kinds: readonly string[]; readonly onEvent: () => void }>();
  const watchers = new Set<(isConnected: boolean) => void>();
  let isConnected = true;
  let pending: Set<string> | undefined;
  const announce = (kind: string) => {
    if (pending !== undefined) return void pending.add(kind);
    const batch = new Set([kind]);
    pending = batch;
    later(() => {
      pending = undefined;
      const concerns = (kinds: readonly string[]) => batch.has(ALL) || kinds.some((one) => batch.has(one));
      for (const { kinds, onEvent } of [...listeners]) if (concerns(kinds)) onEvent();
    }, BATCH_MS);
  };
  const setConnected = (next: boolean) => {
    if (next === isConnected) return;
    isConnected = next;
    if (next) announce(ALL);
    for (const watcher of [...watchers]) watcher(next);
  };
  return {
    start: (onRefused) =>
      connect("/api/stream", {
        onOpen: () => setConnected(true),
        onLost: () => setConnected(false),
        onRefused,
        onMessage: (data) => {
          const kind = kindIn(data);
          if (kind !== undefined) announce(kind);
        },
      }),
    listen: (kinds, onEvent) => {
      const listener = { kinds, onEvent };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    watch: (onChange) => {
      watchers.add(onChange);
      onChange(isConnected);
      return () => void watchers.delete(onChange);
    },
  };
}

const ALL = "*";

function kindIn(data: string): string | undefined {
  try {
    const value: unknown = JSON.parse(data);
    const hasKind = typeof value === "object" && value !== null && "kind" in value;
    return hasKind && typeof value.kind === "string" ? value.kind : undefined;
  } catch {
    return undefined;
  }
}

/** The delay before reconnecting after the browser gave up. */
const RECONNECT_MS = 3_000;

const BROWSER: LiveFeedOptions = {
  connect: (url, { onOpen, onLost, onRefused, onMessage }) => {
    // Without EventSource, a page shows the data of the moment when it was opened.
    if (!("EventSource" in globalThis)) return () => {};
    let end = () => {};
    const open = () => {
      const source = new EventSource(url);
      end = () => source.close();
      source.onopen = onOpen;
      source.onmessage = ({ data }) => onMessage(String(data));
      source.onerror = () => {
        onLost();
        // A browser reconnects by itself, except after a response that is not a stream, such as a proxy's error page.
        if (source.readyState !== EventSource.CLOSED) return;
        onRefused();
        const timer = setTimeout(open, RECONNECT_MS);
        end = () => clearTimeout(timer);
      };
    };
    open();
    return () => end();
  },
  later: (act, ms) => void setTimeout(act, ms),
};
