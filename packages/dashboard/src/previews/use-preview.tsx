import type { PreviewAnswer } from "@longhaul/settings";
import { useEffect, useState } from "preact/hooks";
import type { JsonRecord } from "../forms/schema.ts";
import { useGateway, wordsOf } from "../gateway.tsx";
import { asBody, type Conversation } from "./conversations.ts";

/** What is to be previewed. */
export interface PreviewWish {
  readonly conversation: Conversation;
  readonly strategy: string;
  readonly config: JsonRecord;
  /** The profile whose settings hold. */
  readonly profile?: string;
  readonly windowTokens?: number;
}

/** A preview, on its way, here, or refused. The last one stays while a newer is on its way. */
export interface Previewed {
  readonly wish: PreviewWish | undefined;
  readonly value: PreviewAnswer | undefined;
  readonly error: string;
  readonly isLoading: boolean;
}

/** Whoever types is not asked for at every letter. */
const REST_MS = 350;

/** What the API is asked for a wish. */
export function bodyOf({ conversation, ...wish }: PreviewWish): object {
  return { ...wish, conversation: asBody(conversation) };
}

/** Previews a wish, and again whenever it changes. Without one, what was there stays. No model is asked, nothing is kept. */
export function usePreview(wish: PreviewWish | undefined, rows = 0): Previewed {
  const { api } = useGateway();
  const [state, setState] = useState<Previewed>(NOTHING);
  const asked = wish === undefined ? undefined : JSON.stringify(wish);
  useEffect(() => {
    if (wish === undefined) return setState((before) => ({ ...before, isLoading: false }));
    let isWanted = true;
    setState((before) => ({ ...before, isLoading: true }));
    const timer = setTimeout(() => {
      api.send<PreviewAnswer>("POST", "/preview", { ...bodyOf(wish), limit: rows }).then(
        (value) => isWanted && setState({ wish, value, error: "", isLoading: false }),
        (error: unknown) => isWanted && setState((before) => ({ ...before, error: wordsOf(error), isLoading: false })),
      );
    }, REST_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [api, asked, rows]);
  return state;
}

const NOTHING: Previewed = { wish: undefined, value: undefined, error: "", isLoading: false };
