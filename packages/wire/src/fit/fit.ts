import type { Request } from "@longhaul/conversation";
import type { Restore } from "../codec/codec.ts";
import type { Fitting, Rules } from "../codec/rules.ts";
import type { Steps } from "../codec/stepper.ts";
import type { Target } from "../codec/target.ts";
import { collectWarnings, type Warning } from "../codec/warnings.ts";
import { dropBlankText } from "./blank-text.ts";
import { withMessages } from "./blocks.ts";
import { mendText } from "./broken-text.ts";
import { fitCacheMarks } from "./cache-marks.ts";
import { fitCallIds } from "./call-ids.ts";
import { dropForeignFields } from "./fields.ts";
import { dropForeign } from "./foreign.ts";
import { repairPairs } from "./pairs.ts";
import { fitReasoning } from "./reasoning.ts";
import { fitRoles } from "./roles.ts";
import { fitSettings } from "./sampling.ts";
import { markSystemMessages } from "./system-messages.ts";
import { fitTools } from "./tools.ts";

/** A request that the target takes, still in canonical form. */
export interface Fitted {
  readonly request: Request;
  readonly warnings: readonly Warning[];
  readonly restore: Restore;
  readonly fitting: Fitting;
}

/**
 * Adapts a request to what a format and a target take, by the format's rules. Parts that need nothing stay the identical objects, so
 * that they are written back as they came.
 */
export function* fitRequest(request: Request, rules: Rules, target: Target): Steps<Fitted> {
  const { warn, warnings } = collectWarnings();
  const isNative = request.native?.wire === rules.wire;
  const fitting: Fitting = { rules, target, vendor: target.vendor ?? rules.vendor, isNative, warn };
  const tools = fitTools(dropForeign(dropForeignFields(request, fitting), fitting), fitting);
  let stepped = tools.request;
  for (const step of STEPS) {
    yield;
    stepped = step(stepped, fitting);
  }
  yield;
  const fitted = rules.settle?.(stepped, fitting) ?? stepped;
  return { request: fitted, warnings: warnings(), restore: tools.restore, fitting };
}

/** In this order: what is left out or put in changes which neighbours there are, and pairs and marks are counted on what is left. */
const STEPS: readonly ((request: Request, fitting: Fitting) => Request)[] = [
  mendText,
  markSystemMessages,
  dropBlankText,
  pairUp,
  fitCallIds,
  fitRoles,
  fitCacheMarks,
  fitSettings,
  fitReasoning,
];

function pairUp(request: Request, { rules, warn }: Fitting): Request {
  const repaired = repairPairs(request.conversation.messages, { adjacent: rules.resultsAdjacent, warn });
  return withMessages(request, repaired);
}
