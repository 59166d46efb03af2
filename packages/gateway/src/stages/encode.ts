import type { Outgoing } from "@longhaul/upstream";
import { codecOf, NOTHING_TO_RESTORE, type Restore, type Span, type Warning } from "@longhaul/wire";
import type { Call } from "../call.ts";
import { headersFor } from "../headers-for.ts";
import type { Target } from "../target.ts";
import { wireTarget } from "../wire-target.ts";

/** A call made ready for one target. */
export interface Encoded {
  readonly outgoing: Outgoing;
  /** What the target could not be told as the client said it. */
  readonly warnings: readonly Warning[];
  /** What to undo in the answer. */
  readonly restore: Restore;
  /** Whether the answer's bytes can go to the client as they are. */
  readonly isSameFormat: boolean;
}

/** Writes a call for a target. The same format and the same model: the client's bytes, untouched. */
export function encode(call: Call, target: Target): Encoded {
  const isSameFormat = call.codec.id === target.wire && call.endpoint.wire === target.wire;
  const isGenerating = call.endpoint.action === "generate";
  if (isSameFormat && (call.model === target.model || !isGenerating)) return untouched(call, target);
  const request = target.wire === call.codec.id ? call.request() : call.wholeRequest();
  // A stream that the client gets as it comes holds only what the client asked for.
  const rules = { ...wireTarget(target), streamUsage: !isSameFormat };
  const { body, warnings, restore } = codecOf(target.wire).encodeRequest(request, rules);
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return {
    outgoing: outgoingOf(call, target, { body: bytes, stream: request.stream }),
    warnings,
    restore,
    isSameFormat,
  };
}

function untouched(call: Call, target: Target): Encoded {
  const stream = needsToKnow(target) ? call.wantsStream() : false;
  const body = call.model === target.model ? call.body : renamed(call.body, call.modelSpan(), target.model);
  const outgoing = outgoingOf(call, target, { body, stream });
  return { outgoing, warnings: [], restore: NOTHING_TO_RESTORE, isSameFormat: true };
}

/** A body with another model's name at this place; every other byte stays. */
export function renamed(body: Uint8Array, at: Span | undefined, model: string): Uint8Array {
  if (at === undefined) return body;
  return Buffer.concat([body.subarray(0, at.from), Buffer.from(JSON.stringify(model)), body.subarray(at.to)]);
}

/** Only places that say it in the path need to know whether the answer is streamed. */
function needsToKnow({ place }: Target): boolean {
  const { deployment } = place.connection.upstream;
  return deployment.platform !== "anthropic" && deployment.platform !== "openai" && deployment.platform !== "other";
}

function outgoingOf(call: Call, target: Target, { body, stream }: { body: Uint8Array; stream: boolean }): Outgoing {
  return {
    wire: target.wire,
    action: call.endpoint.action,
    method: call.endpoint.method,
    model: target.model,
    stream,
    body,
    headers: headersFor(call, target),
  };
}
