/** What the gateway tells as it happens. */
export interface LiveFeed {
  /** Begins to listen; the result ends it. Calls `onRefused` whenever something else is answered than a stream. */
  start(onRefused: () => void): () => void;
  /** Calls when the gateway tells of one of these kinds, at most once in a while, and once it is back after it was away. */
  listen(kinds: readonly string[], onNews: () => void): () => void;
  /** Calls with whether the gateway is there, now and on every change. */
  watch(onChange: (isThere: boolean) => void): () => void;
}

/** What a live connection needs of the browser. */
interface LiveOptions {
  /** Connects, again and again where it must; the result ends it. */
  readonly connect: (url: string, hearing: StreamHandlers) => () => void;
  readonly later: (act: () => void, ms: number) => void;
}

/** Who is told what a connection brings. */
export interface StreamHandlers {
  readonly onOpen: () => void;
  readonly onLost: () => void;
  readonly onRefused: () => void;
  readonly onMessage: (data: string) => void;
}

/** News are gathered for so long: a busy gateway tells of hundreds of requests in a second. */
const GATHER_MS = 400;

/** Listens to this page's gateway. */
export function openLiveFeed({ connect, later }: LiveOptions = BROWSER): LiveFeed {
  const listeners = new Set<{ readonly kinds: readonly string[]; readonly onNews: () => void }>();
  const watchers = new Set<(isThere: boolean) => void>();
  let isThere = true;
  let gathered: Set<string> | undefined;
  const tell = (kind: string) => {
    if (gathered !== undefined) return void gathered.add(kind);
    const gathering = new Set([kind]);
    gathered = gathering;
    later(() => {
      gathered = undefined;
      const isFor = (kinds: readonly string[]) => gathering.has(ALL) || kinds.some((one) => gathering.has(one));
      for (const { kinds, onNews } of [...listeners]) if (isFor(kinds)) onNews();
    }, GATHER_MS);
  };
  const setThere = (next: boolean) => {
    if (next === isThere) return;
    isThere = next;
    if (next) tell(ALL);
    for (const watcher of [...watchers]) watcher(next);
  };
  return {
    start: (onRefused) =>
      connect("/api/stream", {
        onOpen: () => setThere(true),
        onLost: () => setThere(false),
        onRefused,
        onMessage: (data) => {
          const kind = kindIn(data);
          if (kind !== undefined) tell(kind);
        },
      }),
    listen: (kinds, onNews) => {
      const listener = { kinds, onNews };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    watch: (onChange) => {
      watchers.add(onChange);
      onChange(isThere);
      return () => void watchers.delete(onChange);
    },
  };
}

const ALL = "*";

/** What is not of this shape is no news: nothing that is told is ever carried out. */
function kindIn(data: string): string | undefined {
  try {
    const value: unknown = JSON.parse(data);
    const isNews = typeof value === "object" && value !== null && "kind" in value;
    return isNews && typeof value.kind === "string" ? value.kind : undefined;
  } catch {
    return undefined;
  }
}

/** After so long, it is tried again where the browser itself gave up. */
const AGAIN_MS = 3_000;

const BROWSER: LiveOptions = {
  connect: (url, { onOpen, onLost, onRefused, onMessage }) => {
    // Without it a page shows what there is when it is opened.
    if (!("EventSource" in globalThis)) return () => {};
    let end = () => {};
    const open = () => {
      const source = new EventSource(url);
      end = () => source.close();
      source.onopen = onOpen;
      source.onmessage = ({ data }) => onMessage(String(data));
      source.onerror = () => {
        onLost();
        // A browser tries again by itself, but not after an answer that is no stream, such as a proxy's while the gateway is away.
        if (source.readyState !== EventSource.CLOSED) return;
        onRefused();
        const timer = setTimeout(open, AGAIN_MS);
        end = () => clearTimeout(timer);
      };
    };
    open();
    return () => end();
  },
  later: (act, ms) => void setTimeout(act, ms),
};
