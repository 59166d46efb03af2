import type { ContextOverrides } from "@longhaul/settings";
import type { KeyLimits } from "@longhaul/store";
import type { Identity } from "./record.ts";

/** Whose key a request came with. */
export interface Caller extends Identity {
  /** What the key's owner calls it. */
  readonly name: string;
  readonly limits: KeyLimits;
  /** Context settings of its requests; absent where nothing is set for it. */
  readonly context?: ContextOverrides;
}
