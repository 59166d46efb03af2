import type { Answer, Ask } from "@longhaul/condense";
import { textMessage } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { askTokens, inputTokens } from "./ask-size.ts";

/** Tells messages in fewer words without a model. */
export type Digest = (ask: Ask) => Promise<Answer>;

/** What making an ask smaller takes. */
export interface Narrowing {
  readonly counter: TokenCounter;
  /** How large it may be. */
  readonly roomTokens: number;
  readonly digest: Digest;
}

/** An ask that fits: where its messages are too large, those lines of them that will likely be needed, from all over the range. */
export async function narrow(ask: Ask, { counter, roomTokens, digest }: Narrowing): Promise<Ask> {
  const tokens = askTokens(ask, counter);
  if (tokens <= roomTokens) return ask;
  const { previous, ...rest } = ask;
  const fixedTokens = tokens - inputTokens(rest, counter);
  const maxTokens = Math.max(1, roomTokens - fixedTokens);
  const told = await digest({ ...rest, maxTokens });
  return told.kind === "text" ? { ...ask, messages: [textMessage("user", told.text)] } : ask;
}
