import { type ComponentChildren, createContext } from "preact";
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { common } from "../strings/common.ts";
import { type Api, ApiError, type Fault, makeApi, tokenIn } from "./api.ts";
import { type LiveFeed, openLiveFeed } from "./live.ts";
import { useToast } from "./toasts.tsx";

interface Gateway {
  readonly api: Api;
  readonly live: LiveFeed;
  readonly signedIn: "unknown" | "yes" | "no";
  /** Why the last attempt to sign in failed, or empty. */
  readonly signInError: string;
  signIn(token: string): Promise<void>;
  signOut(): Promise<void>;
}

const GatewayContext = createContext<Gateway | undefined>(undefined);

export function useGateway(): Gateway {
  const gateway = useContext(GatewayContext);
  if (gateway === undefined) throw new Error("useGateway needs a GatewayProvider above it");
  return gateway;
}

/** Connects its children to the gateway: exchanges a token in the address for a cookie, or checks whether there is one. */
export function GatewayProvider({ children }: { readonly children: ComponentChildren }) {
  const [signedIn, setSignedIn] = useState<Gateway["signedIn"]>("unknown");
  const [signInError, setSignInError] = useState("");
  const api = useMemo(() => makeApi(fetch.bind(globalThis), () => setSignedIn("no")), []);
  const live = useMemo(() => openLiveFeed(), []);
  const signIn = useCallback(
    async (token: string, isLink = false) => {
      try {
        await api.send("POST", "/sign-in", { token });
        setSignInError("");
        setSignedIn("yes");
      } catch (error) {
        const isUsed = isLink && error instanceof ApiError && error.status === 401;
        setSignInError(isUsed ? common.signIn.usedLink : errorMessage(error));
        setSignedIn("no");
      }
    },
    [api],
  );
  const signOut = useCallback(async () => {
    await api.send("POST", "/sign-out");
    setSignInError("");
    setSignedIn("no");
  }, [api]);
  useEffect(() => {
    const token = tokenIn(location.hash);
    if (token === undefined) {
      void api.get("/health").then(
        () => setSignedIn("yes"),
        (error: unknown) => {
          if (!(error instanceof ApiError && error.status === 401)) setSignInError(errorMessage(error));
          setSignedIn("no");
        },
      );
      return;
    }
    // The token works once. Remove it from the address and from the browser's history.
    history.replaceState(null, "", "#/");
    void signIn(token, true);
  }, [api, signIn]);
  // A rejected stream has no status, so a request finds out whether the cookie is still valid.
  const check = useCallback(() => void api.get("/health").catch(() => {}), [api]);
  useEffect(() => (signedIn === "yes" ? live.start(check) : undefined), [live, signedIn, check]);
  const gateway = { api, live, signedIn, signInError, signIn, signOut };
  return <GatewayContext.Provider value={gateway}>{children}</GatewayContext.Provider>;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : common.errors.unexpected;
}

/** The state of a query. The previous value stays while the next one is loading. */
export interface QueryResult<T> {
  readonly value: T | undefined;
  /** Empty if the last request succeeded. */
  readonly error: string;
  readonly isLoading: boolean;
  reload(): void;
}

/** Gets a path of the admin API, and again when the gateway announces one of `events`. Without a path, nothing is requested. */
export function useQuery<T>(path: string | undefined, events: readonly string[] = []): QueryResult<T> {
  const { api, live } = useGateway();
  const [state, setState] = useState<{ value?: T; error: string; isLoading: boolean }>(LOADING);
  const [round, setRound] = useState(0);
  const shown = useRef<string | undefined>(undefined);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  // Callers write the list in place, so it is another object on every render.
  useEffect(() => live.listen(events, reload), [live, events.join(), reload]);
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
  return { ...state, value: state.value, reload };
}

const LOADING = { error: "", isLoading: true } as const;

/** The state of a query with a body. The previous value stays while the next one is loading. */
export interface PostResult<T> {
  /** The body that `value` answers. */
  readonly body: object | undefined;
  readonly value: T | undefined;
  readonly error: string;
  readonly isLoading: boolean;
}

/** The delay before text that is being typed is sent. */
export const DEBOUNCE_MS = 350;

interface PostOptions {
  /** How long the body must stay unchanged before it is sent. */
  readonly debounceMs?: number;
  /** Sends the same body again when it changes. */
  readonly reloadKey?: number | undefined;
}

/** Posts a body to a route that changes nothing, and again when the body changes. Without a body, the previous value stays. */
export function usePost<T>(
  path: string,
  body: object | undefined,
  { debounceMs = 0, reloadKey }: PostOptions = {},
): PostResult<T> {
  const { api } = useGateway();
  const [state, setState] = useState<PostResult<T>>(NOT_POSTED);
  const content = body === undefined ? undefined : JSON.stringify(body);
  useEffect(() => {
    if (body === undefined) return setState((before) => ({ ...before, isLoading: false }));
    let isCurrent = true;
    setState((before) => ({ ...before, isLoading: true }));
    const timer = setTimeout(() => {
      api.send<T>("POST", path, body).then(
        (value) => isCurrent && setState({ body, value, error: "", isLoading: false }),
        (error: unknown) =>
          isCurrent && setState((before) => ({ ...before, error: errorMessage(error), isLoading: false })),
      );
    }, debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [api, path, content, debounceMs, reloadKey]);
  return state;
}

const NOT_POSTED = { body: undefined, value: undefined, error: "", isLoading: false } as const;

export interface Mutation {
  readonly isBusy: boolean;
  readonly faults: readonly Fault[];
  /** Runs a change, shows a toast with `done` or the error, and returns the answer, or `undefined` if the change failed. */
  run<T>(work: (api: Api) => Promise<T>, done?: string | ((answer: T) => string)): Promise<T | undefined>;
}

export function useMutation(): Mutation {
  const { api } = useGateway();
  const showToast = useToast();
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const run = useCallback<Mutation["run"]>(
    async (work, done) => {
      setBusy(true);
      setFaults([]);
      try {
        const answer = await work(api);
        if (done !== undefined) showToast(typeof done === "string" ? done : done(answer));
        return answer;
      } catch (error) {
        setFaults(error instanceof ApiError ? error.faults : []);
        showToast(errorMessage(error), "bad");
        return undefined;
      } finally {
        setBusy(false);
      }
    },
    [api, showToast],
  );
  return { isBusy, faults, run };
}
