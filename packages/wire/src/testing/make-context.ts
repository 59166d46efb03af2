import type { Conversation, Request } from "@longhaul/conversation/advanced";
import { makeConversation } from "@longhaul/conversation/testing";
import { RULES } from "../anthropic-messages/rules.ts";
import { type AdaptContext, collectWarnings, type Rules, type Warning, type WireDestination } from "../codec/rules.ts";

/** An `AdaptContext` that collects warnings. */
export interface TestContext extends AdaptContext {
  readonly warnings: () => readonly Warning[];
}

/** Makes a context, with Anthropic's rules by default. */
export function makeContext(
  fields: { rules?: Partial<Rules>; destination?: Partial<WireDestination>; isNative?: boolean; vendor?: string } = {},
): TestContext {
  const rules = { ...RULES, ...fields.rules };
  const { warn, warnings } = collectWarnings();
  const vendor = fields.vendor ?? rules.vendor;
  return {
    rules,
    destination: { model: "m", ...fields.destination },
    vendor,
    isNative: fields.isNative ?? false,
    warn,
    warnings,
  };
}

/** Makes a request without a native body. */
export function makeRequestOf(
  conversation: Conversation = makeConversation(),
  fields: Partial<Omit<Request, "conversation">> = {},
): Request {
  return { model: "m", stream: false, sampling: {}, conversation, ...fields };
}
