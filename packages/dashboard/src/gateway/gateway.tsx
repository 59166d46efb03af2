import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Api, ApiError, type Fault, makeApi, tokenIn } from "./api.ts";
import { type LiveFeed, openLiveFeed } from "./live.ts";
import { useToast } from "./toasts.tsx";

/** The gateway that this page came from. */
interface Gateway {
  readonly api: Api;
  readonly live: LiveFeed;
  readonly signedIn: "unknown" | "yes" | "no";
  /** Why signing in failed the last time. */
  readonly refusal: string;
  signIn(token: string): Promise<void>;
  signOut(): Promise<void>;
}

const GatewayContext = createContext<Gateway | undefined>(undefined);

/** The gateway, for whoever is below its provider. */
export function useGateway(): Gateway {
  const gateway = useContext(GatewayContext);
  if (gateway === undefined) throw new Error("useGateway needs a GatewayProvider above it");
  return gateway;
}

/** Connects what is below it to the gateway: exchanges a token in the address for a cookie, or asks whether there is one. */
export function GatewayProvider({ children }: { readonly children: ComponentChildren }) {
  const [signedIn, setSignedIn] = useState<Gateway["signedIn"]>("unknown");
  const [refusal, setRefusal] = useState("");
  const api = useMemo(() => makeApi(fetch.bind(globalThis), () => setSignedIn("no")), []);
  const live = useMemo(() => openLiveFeed(), []);
  const signIn = useCallback(
    async (token: string) => {
      try {
        await api.send("POST", "/sign-in", { token });
        setRefusal("");
        setSignedIn("yes");
      } catch (error) {
        setRefusal(errorMessage(error));
        setSignedIn("no");
      }
    },
    [api],
  );
  const signOut = useCallback(async () => {
    await api.send("POST", "/sign-out");
    setRefusal("");
    setSignedIn("no");
  }, [api]);
  useEffect(() => {
    const token = tokenIn(location.hash);
    if (token === undefined) {
      void api.get("/health").then(
        () => setSignedIn("yes"),
        (error: unknown) => {
          if (!(error instanceof ApiError && error.status === 401)) setRefusal(errorMessage(error));
          setSignedIn("no");
        },
      );
      return;
    }
    // The token works once; a reload must not show it again, nor should the browser's history.
    history.replaceState(null, "", "#/");
    void signIn(token);
  }, [api, signIn]);
  // A stream does not say why it was refused; an answer does, where the gateway no longer knows us. That it is away is said elsewhere.
  const check = useCallback(() => void api.get("/health").catch(() => {}), [api]);
  useEffect(() => (signedIn === "yes" ? live.start(check) : undefined), [live, signedIn, check]);
  const gateway = { api, live, signedIn, refusal, signIn, signOut };
  return <GatewayContext.Provider value={gateway}>{children}</GatewayContext.Provider>;
}

/** What is wrong, in words for the reader. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : "Something went wrong on this page; reload it.";
}

/** An answer of the API, on its way, here, or refused. The last one stays while a newer is on its way. */
export interface QueryResult<T> {
  readonly value: T | undefined;
  readonly error: string;
  readonly isLoading: boolean;
  reload(): void;
}

/** Asks the API, and again whenever the gateway tells of one of the kinds. Without a path nothing is asked. */
export function useQuery<T>(path: string | undefined, kinds: readonly string[] = NONE): QueryResult<T> {
  const { api, live } = useGateway();
  const [state, setState] = useState<{ value?: T; error: string; isLoading: boolean }>(LOADING);
  const [round, setRound] = useState(0);
  const shown = useRef<string | undefined>(undefined);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => live.listen(kinds, reload), [live, kinds.join(), reload]);
  useEffect(() => {
    if (path === undefined) return undefined;
    const call = new AbortController();
    if (shown.current !== path) setState(LOADING);
    shown.current = path;
    api.get<T>(path, call.signal).then(
      (value) => setState({ value, error: "", isLoading: false }),
      (error: unknown) => {
        if (!call.signal.aborted) setState((before) => ({ ...before, error: errorMessage(error), isLoading: false }));
      },
    );
    return () => call.abort();
  }, [api, path, round]);
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload };
}

const NONE: readonly string[] = [];
const LOADING = { error: "", isLoading: true } as const;

/** An answer of the API to a body, on its way, here, or refused. The last one stays while a newer is on its way. */
export interface PostResult<T> {
  /** What `value` is the answer to. */
  readonly body: object | undefined;
  readonly value: T | undefined;
  readonly error: string;
  readonly isLoading: boolean;
}

/** Whoever types is not asked for at every letter. */
export const DEBOUNCE_MS = 350;

interface PostOptions {
  /** How long the body has to stay as it is. */
  readonly debounceMs?: number;
  /** Asks again whenever it is another. */
  readonly reloadKey?: number | undefined;
}

/** Posts what changes nothing, and again whenever the body says something else, once it rests. Without one, what was there stays. */
export function usePost<T>(
  path: string,
  body: object | undefined,
  { debounceMs: restMs = 0, reloadKey: round }: PostOptions = {},
): PostResult<T> {
  const { api } = useGateway();
  const [state, setState] = useState<PostResult<T>>(NOTHING);
  const said = body === undefined ? undefined : JSON.stringify(body);
  useEffect(() => {
    if (body === undefined) return setState((before) => ({ ...before, isLoading: false }));
    let isWanted = true;
    setState((before) => ({ ...before, isLoading: true }));
    const timer = setTimeout(() => {
      api.send<T>("POST", path, body).then(
        (value) => isWanted && setState({ body, value, error: "", isLoading: false }),
        (error: unknown) =>
          isWanted && setState((before) => ({ ...before, error: errorMessage(error), isLoading: false })),
      );
    }, restMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [api, path, said, restMs, round]);
  return state;
}

const NOTHING = { body: undefined, value: undefined, error: "", isLoading: false } as const;

/** Changes something at the gateway. */
export interface Mutation {
  readonly isBusy: boolean;
  /** What the gateway found wrong with the last one, field by field. */
  readonly faults: readonly Fault[];
  /** Makes a change, tells the reader what came of it, and gives what was answered where it was made. */
  run<T>(work: (api: Api) => Promise<T>, done?: string | ((answer: T) => string)): Promise<T | undefined>;
}

/** How a page changes something at the gateway. */
export function useMutation(): Mutation {
  const { api } = useGateway();
  const tell = useToast();
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const make = useCallback<Mutation["run"]>(
    async (work, done) => {
      setBusy(true);
      setFaults([]);
      try {
        const answer = await work(api);
        if (done !== undefined) tell(typeof done === "string" ? done : done(answer));
        return answer;
      } catch (error) {
        setFaults(error instanceof ApiError ? error.faults : []);
        tell(errorMessage(error), "bad");
        return undefined;
      } finally {
        setBusy(false);
      }
    },
    [api, tell],
  );
  return { isBusy, faults, run: make };
}
