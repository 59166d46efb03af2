import type { RequestEvent } from "@longhaul/store";
import { makeRequestEvent } from "@longhaul/store/testing";
import type { EndedRequest } from "../events/observer.ts";

/** Makes a finished request as observers get it. */
export function makeFinished(fields: Partial<RequestEvent> = {}, more: Partial<EndedRequest> = {}): EndedRequest {
  return { event: makeRequestEvent(fields), platform: "anthropic", family: "claude-opus-4-6", ...more };
}
