import type { WireId } from "@longhaul/conversation";
import type { Destination, FitState } from "@longhaul/fit";
import type { Catalog } from "@longhaul/models";
import type { UpstreamKindName } from "@longhaul/models/kinds";
import type { Config, ContextOverrides, RouteConfig } from "@longhaul/settings";
import type { Store } from "@longhaul/store";
import type { UpstreamHandle } from "@longhaul/upstream";
import type { ChangeFeed } from "./change-feed.ts";
import type { LiveSettings } from "./live-settings.ts";

/** The running gateway as the admin API sees it. The gateway implements it. */
export interface AdminHost {
  readonly store: Store;
  readonly settings: LiveSettings;
  readonly changes: ChangeFeed;
  readonly snapshots: {
    current(): AdminSnapshot;
    /** Keeps the active snapshot open until `leave` is called. */
    enter(): { readonly snapshot: AdminSnapshot; readonly leave: () => void };
  };
  readonly fitting: FitState;
  /** Requests in flight, and whether the gateway is shutting down. */
  readonly gate: { readonly inside: number; readonly isClosing: boolean };
  readonly nowMs: () => number;
  /** The user's home folder, for the logs of other tools; absent if it is unknown. */
  readonly home?: string | undefined;
  /** How users of the dashboard call the command line. @default `longhaul` */
  readonly command?: string | undefined;
  /** Budget alerts. */
  readonly alerts: { failure(): string | undefined };
  /** Returns the route for a model, one of the configuration's. Throws `route.unknown` if there is none. */
  findRoute(query: Pick<AdminRouteQuery, "model" | "credential">, snapshot: AdminSnapshot): FoundRoute;
  /** Returns the upstreams for a model in the order in which they are tried. Throws `route.unknown` if there is none. */
  resolve(query: AdminRouteQuery, snapshot: AdminSnapshot): readonly Destination[];
}

/** The active configuration and everything that was opened for it. */
export interface AdminSnapshot {
  readonly config: Config;
  readonly catalog: Catalog;
  /** By the name of their upstream. */
  readonly handles: ReadonlyMap<string, readonly UpstreamHandle[]>;
  /** Whether `DISABLE_CONTEXT_COMPRESSION` is set. */
  readonly isContextDisabled: boolean;
  /** Removes the configuration's own credentials from a text. */
  readonly redact: (text: string) => string;
  readonly log: { bug(error: unknown, id: string): void; warned(message: string): void };
}

interface FoundRoute {
  readonly route: RouteConfig;
  /** The model's name without a reasoning suffix. */
  readonly name: string;
}

interface AdminRouteQuery {
  readonly model: string;
  /** The kind whose own credential the request carries. @default none */
  readonly credential?: UpstreamKindName | undefined;
  readonly wire: WireId;
  readonly ofRequest?: ContextOverrides | undefined;
}
