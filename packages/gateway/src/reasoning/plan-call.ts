import { LonghaulError, type Reasoning, type Request } from "@longhaul/conversation";
import { type Destination, mentionsReasoning, once } from "@longhaul/fit";
import type { Warning } from "@longhaul/wire";
import type { Call } from "../call.ts";
import { isHiddenHere, mentionsExclusion } from "./exclusion.ts";
import { neededBetas } from "./needed-betas.ts";
import { checkOwnReasoning } from "./own-reasoning.ts";
import { inSibling, speaksSibling } from "./reasoning-wire.ts";
import { type SaidReasoning, sayReasoning } from "./say-reasoning.ts";

/** A call as it goes to a destination, with all that was said about thinking settled. */
export interface PlannedCall {
  readonly call: Call;
  readonly destination: Destination;
  readonly warnings: readonly Warning[];
  /** Whether the gateway is to leave the reasoning out of the answer. */
  readonly isExcluded: boolean;
}

/**
 * Settles how hard a call's model thinks: the model's suffix, else the request's own parameters, else route, profile and global settings. The
 * identical call where the request says it already. `putBack` is for clients that cannot hold the reasoning, or do not get to see it. A suffix
 * or a parameter in no words that anybody knows throws `request.malformed`.
 */
export function planCall(call: Call, destination: Destination, putBack?: Call["putBack"]): PlannedCall {
  if (call.endpoint.action !== "generate") return { call, destination, warnings: [], isExcluded: false };
  refuseUnread(call, destination);
  if (!isToBePlanned(call, destination)) return { call, destination, warnings: [], isExcluded: false };
  const asked = destination.wire === call.codec.id ? call.request() : call.wholeRequest();
  checkOwnReasoning(asked, destination.match.model);
  const said = sayReasoning(asked, destination);
  const spoken = inSibling(call, destination, said.reasoning);
  const betas = said.isOurs ? neededBetas(asked, said.reasoning, destination) : [];
  const told = said.isChanged ? changed(call, said, betas) : call;
  const isExcluded = said.isExcluded && (said.isHeldBack || isHiddenHere(call, spoken));
  const mayCall = asked.conversation.tools.length > 0;
  const isPutBack = putBack !== undefined && (spoken.wire !== call.codec.id || (isExcluded && mayCall));
  return {
    call: isPutBack ? { ...told, putBack } : told,
    destination: spoken,
    warnings: said.warnings,
    isExcluded,
  };
}

function refuseUnread({ model }: Call, { handle, reasoning }: Destination): void {
  const { unread } = reasoning ?? {};
  // Elsewhere what looks like a suffix may be part of a name.
  if (unread === undefined || !handle.connection.upstream.deployment.quirks.hasPlainModelNames) return;
  const { text, base, takes } = unread;
  throw new LonghaulError(
    "request.malformed",
    `model "${model}": "${text}" says nothing about thinking that ${base} understands; ${takes}`,
    { param: "model" },
  );
}

/** Whether anybody but the client has a say, or what the client says may not be what the destination understands. */
function isToBePlanned(call: Call, destination: Destination): boolean {
  const { suffix, pinned, settings = {} } = destination.reasoning ?? {};
  const { effort, maxTokens, exclude } = settings;
  if ([suffix, pinned, effort, maxTokens, exclude].some((said) => said !== undefined)) return true;
  if (destination.wire !== call.codec.id) return true;
  const { quirks } = destination.handle.connection.upstream.deployment;
  if (quirks.showsReasoning === "unless-excluded" && mentionsExclusion(call.body, call.codec.messagesField))
    return true;
  const isOdd = destination.match.model.reasoning.kind === "none" || speaksSibling(destination);
  return isOdd && mentionsReasoning(call.body, call.codec);
}

function changed(call: Call, { reasoning, maxOutputTokens }: SaidReasoning, betas: readonly string[]): Call {
  const parameters = (request: Request) => withReasoning(request, reasoning, maxOutputTokens);
  return {
    ...call,
    change: { parameters, betas },
    request: once(() => parameters(call.request())),
    wholeRequest: once(() => parameters(call.wholeRequest())),
  };
}

function withReasoning(request: Request, reasoning: Reasoning | undefined, maxOutputTokens?: number): Request {
  const { reasoning: _, ...rest } = request;
  return {
    ...rest,
    ...(reasoning !== undefined && { reasoning }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}
