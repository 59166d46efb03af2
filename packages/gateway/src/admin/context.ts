import type { Store } from "@longhaul/store";
import type { Gate } from "../http/gate.ts";
import type { LiveSettings } from "../live-settings.ts";
import type { Memory } from "../memory.ts";
import type { News } from "../news.ts";
import type { Previews } from "../preview/previews.ts";
import type { Snapshots } from "../snapshots.ts";
import type { SignIn } from "./sign-in.ts";

/** What the admin API works on: the running gateway. */
export interface AdminContext {
  readonly store: Store;
  readonly settings: LiveSettings;
  readonly snapshots: Snapshots;
  readonly memory: Memory;
  readonly gate: Gate;
  readonly signIn: SignIn;
  readonly news: News;
  readonly previews: Previews;
  readonly nowMs: () => number;
}
