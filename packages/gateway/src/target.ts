import type { WireId } from "@longhaul/conversation";
import type { ModelMatch } from "@longhaul/models";
import type { ContextConfig } from "@longhaul/settings";
import type { Place } from "./snapshot.ts";

/** Where a request may be sent, and as what. */
export interface Target {
  readonly place: Place;
  /** The format to speak there. */
  readonly wire: WireId;
  /** The model's name there. */
  readonly model: string;
  /** What is known of the model. */
  readonly match: ModelMatch;
  /** What holds for the context of requests that go there by this route. */
  readonly context: ContextConfig;
}
