import type { Request } from "@longhaul/conversation/advanced";
import type { Restore } from "../codec/codec.ts";
import { type AdaptContext, collectWarnings, type Rules, type Warning, type WireDestination } from "../codec/rules.ts";
import type { Steps } from "../codec/stepper.ts";
import { adaptReasoning, adaptSettings } from "./adapt-settings.ts";
import { withMessages } from "./blocks.ts";
import { adaptCacheMarks } from "./cache-marks.ts";
import { dropForeign, dropForeignFields } from "./foreign.ts";
import { adaptCallIds, repairPairs } from "./pairs.ts";
import { adaptRoles, markSystemMessages } from "./roles.ts";
import { dropBlankText, repairText } from "./text.ts";
import { adaptTools } from "./tools.ts";

/** A request that the destination accepts, still in canonical form. */
export interface Adapted {
  readonly request: Request;
  readonly warnings: readonly Warning[];
  readonly restore: Restore;
  readonly context: AdaptContext;
}

/**
 * Adapts a request to what a format and a destination accept. Unchanged parts stay identical objects, so that they are written back as
 * received.
 */
export function* adaptRequest(request: Request, rules: Rules, destination: WireDestination): Steps<Adapted> {
  const { warn, warnings } = collectWarnings();
  const isNative = request.native?.wire === rules.wire;
  const context: AdaptContext = {
    rules,
    destination,
    vendor: destination.vendor ?? rules.vendor,
    isNative,
    warn,
  };
  const own = dropForeign(dropForeignFields(request, context), context);
  yield;
  const tools = adaptTools(own, context);
  let stepped = tools.request;
  for (const step of STEPS) {
    yield;
    stepped = step(stepped, context);
  }
  yield;
  const adapted = rules.adaptLast?.(stepped, context) ?? stepped;
  return { request: adapted, warnings: warnings(), restore: tools.restore, context };
}

/** The order matters: dropping and adding messages changes which ones are adjacent, and pairs and cache marks are counted on the result. */
const STEPS: readonly ((request: Request, context: AdaptContext) => Request)[] = [
  repairText,
  markSystemMessages,
  dropBlankText,
  pairUp,
  adaptCallIds,
  adaptRoles,
  adaptCacheMarks,
  adaptSettings,
  adaptReasoning,
];

function pairUp(request: Request, { rules, warn }: AdaptContext): Request {
  const repaired = repairPairs(request.conversation.messages, { adjacent: rules.resultsAdjacent, warn });
  return withMessages(request, repaired);
}
