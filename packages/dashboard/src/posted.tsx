import { useEffect, useState } from "preact/hooks";
import { useGateway, wordsOf } from "./gateway.tsx";

/** An answer of the API to a body, on its way, here, or refused. The last one stays while a newer is on its way. */
export interface Posted<T> {
  /** What `value` is the answer to. */
  readonly body: object | undefined;
  readonly value: T | undefined;
  readonly error: string;
  readonly isLoading: boolean;
}

/** Whoever types is not asked for at every letter. */
export const REST_MS = 350;

interface PostOptions {
  /** How long the body has to stay as it is. */
  readonly restMs?: number;
  /** Asks again whenever it is another. */
  readonly round?: number | undefined;
}

/** Posts what changes nothing, and again whenever the body says something else, once it rests. Without one, what was there stays. */
export function usePosted<T>(
  path: string,
  body: object | undefined,
  { restMs = 0, round }: PostOptions = {},
): Posted<T> {
  const { api } = useGateway();
  const [state, setState] = useState<Posted<T>>(NOTHING);
  const said = body === undefined ? undefined : JSON.stringify(body);
  useEffect(() => {
    if (body === undefined) return setState((before) => ({ ...before, isLoading: false }));
    let isWanted = true;
    setState((before) => ({ ...before, isLoading: true }));
    const timer = setTimeout(() => {
      api.send<T>("POST", path, body).then(
        (value) => isWanted && setState({ body, value, error: "", isLoading: false }),
        (error: unknown) => isWanted && setState((before) => ({ ...before, error: wordsOf(error), isLoading: false })),
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
