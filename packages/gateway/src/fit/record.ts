import { promptTokens, type Usage } from "@longhaul/conversation";
import type { Fitted } from "./fit.ts";
import { formName } from "./form-name.ts";

/** Learns from what an upstream reports for a request: how it counts, and how large this conversation is. */
export function record(fitted: Fitted, usage: Usage): void {
  // Where the vendor compacted first, the round that did so read what was sent.
  const reported = promptTokens(usage.iterations?.[0] ?? usage);
  if (reported > 0) recordSize(fitted, reported);
}

/** Learns from an upstream's own count of a request, which it may have refused for it. */
export function recordSize({ turn, form }: Pick<Fitted, "turn" | "form">, reported: number, wasRefused = false): void {
  const { state, target, history, scope, ratio } = turn;
  const { estimated } = form;
  state.learned.count(target, { estimated, reported, hasMedia: hasMedia(turn) });
  const prefix = history.prefixes().at(-1);
  if (prefix === undefined) return;
  const anchor = { reported, estimated, ratio, atMs: state.nowMs(), wasRefused };
  state.anchors.keep(formName(scope, form.epoch), prefix, anchor);
}

/** Whether a conversation holds images or documents, which nobody can count as the vendors do. */
export function hasMedia({ history }: Fitted["turn"]): boolean {
  return history.messages.some((message) => message.hasMedia);
}
