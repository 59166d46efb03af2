import type { Conversation, Request } from "@longhaul/conversation";
import { makeConversation } from "@longhaul/conversation/testing";
import { RULES } from "../anthropic-messages/rules.ts";
import { type AdaptContext, collectWarnings, type Rules, type Warning, type WireDestination } from "../codec/rules.ts";

/** What an adapting step needs, with the warnings that it gave. */
export interface TestContext extends AdaptContext {
  readonly warnings: () => readonly Warning[];
}

/** Rules, a target and a place for warnings; Anthropic's where nothing else is said. */
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

/** A request of one conversation, from nowhere in particular. */
export function makeRequestOf(
  conversation: Conversation = makeConversation(),
  fields: Partial<Omit<Request, "conversation">> = {},
): Request {
  return { model: "m", stream: false, sampling: {}, conversation, ...fields };
}
