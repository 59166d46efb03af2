import { promptTokens, type Usage } from "@longhaul/conversation";
import type { Fitted } from "./fit.ts";
import { formName } from "./form-name.ts";

/** Learns from what an upstream reports for a request: how it counts, and how large this conversation is. */
export function record({ turn, form }: Fitted, usage: Usage): void {
  const { state, target, history, scope, ratio } = turn;
  // Where the vendor compacted first, the round that did so read what was sent.
  const reported = promptTokens(usage.iterations?.[0] ?? usage);
  if (reported === 0) return;
  const { estimated } = form;
  const hasMedia = history.messages.some((message) => message.hasMedia);
  state.learned.count(target, { estimated, reported, hasMedia });
  const prefix = history.prefixes().at(-1);
  if (prefix === undefined) return;
  state.anchors.keep(formName(scope, form.epoch), prefix, {
    reported,
    estimated,
    ratio,
    atMs: state.nowMs(),
  });
}
