import type { TokenCounter } from "@longhaul/models";
import type { Answer, Ask } from "./edit.ts";

/** Answers an ask without a model. */
export function answerOffline(ask: Ask, _counter: TokenCounter): Answer {
  return { kind: "failed", why: `no summariser for ${ask.messages.length} messages` };
}
