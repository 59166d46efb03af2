import type { ComponentType } from "preact";
import type { IconName } from "./components/icon.tsx";
import type { Route } from "./components/router.ts";
import { Playground } from "./pages/playground.tsx";
import { Keys } from "./pages/settings/keys.tsx";
import { Profiles } from "./pages/settings/profiles.tsx";
import { Routes } from "./pages/settings/routes.tsx";
import { Settings } from "./pages/settings/settings.tsx";
import { Upstreams } from "./pages/settings/upstreams.tsx";
import { Presets } from "./pages/strategies/presets.tsx";
import { Prompts } from "./pages/strategies/prompts.tsx";
import { Strategies } from "./pages/strategies/strategies.tsx";
import { Overview } from "./pages/traffic/overview.tsx";
import { Requests } from "./pages/traffic/requests.tsx";
import { Sessions } from "./pages/traffic/sessions.tsx";
import { common } from "./strings/common.ts";

export const PAGE_GROUPS = ["traffic", "condensing", "gateway"] as const;

export type PageGroup = (typeof PAGE_GROUPS)[number];

interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: PageGroup;
  readonly View: ComponentType<{ readonly route: Route }>;
}

const titles = common.nav.pages;

/** Every page, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  { path: "", title: titles.overview, icon: "overview", group: "traffic", View: Overview },
  { path: "sessions", title: titles.sessions, icon: "sessions", group: "traffic", View: Sessions },
  { path: "requests", title: titles.requests, icon: "requests", group: "traffic", View: Requests },
  { path: "strategies", title: titles.strategies, icon: "strategies", group: "condensing", View: Strategies },
  { path: "presets", title: titles.presets, icon: "presets", group: "condensing", View: Presets },
  { path: "prompts", title: titles.prompts, icon: "prompts", group: "condensing", View: Prompts },
  { path: "profiles", title: titles.profiles, icon: "profiles", group: "condensing", View: Profiles },
  { path: "playground", title: titles.playground, icon: "playground", group: "condensing", View: Playground },
  { path: "upstreams", title: titles.upstreams, icon: "upstreams", group: "gateway", View: Upstreams },
  { path: "routes", title: titles.routes, icon: "routes", group: "gateway", View: Routes },
  { path: "keys", title: titles.keys, icon: "keys", group: "gateway", View: Keys },
  { path: "settings", title: titles.settings, icon: "settings", group: "gateway", View: Settings },
];
