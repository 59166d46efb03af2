import type { PreviewAnswer } from "@longhaul/settings";
import type { JsonRecord } from "../forms/schema.ts";
import { type Posted, REST_MS, usePosted } from "../posted.tsx";
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

/** A preview without its rows. */
export type Previewed = Posted<PreviewAnswer>;

/** Previews a wish, and again whenever it changes. No model is asked, nothing is kept. */
export function usePreview(wish: PreviewWish | undefined): Previewed {
  const body = wish === undefined ? undefined : { ...wish, conversation: asBody(wish.conversation), limit: 0 };
  return usePosted<PreviewAnswer>("/preview", body, { restMs: REST_MS });
}
