import type { WireId } from "@longhaul/conversation";
import type { ModelMatch, ReasoningWish } from "@longhaul/models";
import type { ReasoningConfig, RequestContext } from "@longhaul/settings";
import type { UpstreamHandle } from "./handles.ts";

/** Where a request may be sent, and as what. */
export interface Destination {
  readonly handle: UpstreamHandle;
  /** The format to speak there. */
  readonly wire: WireId;
  /** The model's name there. */
  readonly model: string;
  /** What is known of the model. */
  readonly match: ModelMatch;
  /** The model's window, where the profile sets it. @default the upstream's, else what was learned, else the catalog's */
  readonly windowTokens?: number;
  /** What holds for the context of requests that go there by this route. */
  readonly context: RequestContext;
  /** What is said about thinking besides the request itself. @default nothing */
  readonly reasoning?: DestinationReasoning;
}

/** What the model's name and the settings say about thinking. */
interface DestinationReasoning {
  /** What the client put behind the model's name. */
  readonly suffix?: ReasoningWish;
  /** What the client put behind a known model's name and nobody understands. */
  readonly unread?: UnreadSuffix;
  /** What the route put behind its model's name. */
  readonly pinned?: ReasoningWish;
  /** The global settings with those of profile and route over them. */
  readonly settings: ReasoningConfig;
}

/** A suffix that is no level and no number. */
export interface UnreadSuffix {
  readonly text: string;
  readonly base: string;
  /** What would be understood there. */
  readonly takes: string;
}
