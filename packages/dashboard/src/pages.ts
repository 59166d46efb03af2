import type { ComponentType } from "preact";
import { Keys } from "./pages/keys.tsx";
import { Overview } from "./pages/overview.tsx";
import { Playground } from "./pages/playground.tsx";
import { Presets } from "./pages/presets.tsx";
import { Profiles } from "./pages/profiles.tsx";
import { Prompts } from "./pages/prompts.tsx";
import { Requests } from "./pages/requests.tsx";
import { Sessions } from "./pages/sessions.tsx";
import { Settings } from "./pages/settings.tsx";
import { Strategies } from "./pages/strategies.tsx";
import { Upstreams } from "./pages/upstreams.tsx";
import type { IconName } from "./parts/icon.tsx";
import type { Place } from "./router.ts";

/** One page of the dashboard. */
export interface PageEntry {
  /** As it stands in the address. */
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: "See" | "Choose" | "Run";
  readonly View: ComponentType<{ readonly place: Place }>;
}

/** Every page, in the order of the list at the side; the first is shown where the address names none. */
export const PAGES: readonly PageEntry[] = [
  { name: "", title: "Overview", icon: "overview", group: "See", View: Overview },
  { name: "sessions", title: "Sessions", icon: "sessions", group: "See", View: Sessions },
  { name: "requests", title: "Requests", icon: "requests", group: "See", View: Requests },
  { name: "playground", title: "Playground", icon: "playground", group: "See", View: Playground },
  { name: "strategies", title: "Strategies", icon: "strategies", group: "Choose", View: Strategies },
  { name: "presets", title: "Presets", icon: "presets", group: "Choose", View: Presets },
  { name: "prompts", title: "Prompts", icon: "prompts", group: "Choose", View: Prompts },
  { name: "profiles", title: "Profiles", icon: "profiles", group: "Choose", View: Profiles },
  { name: "upstreams", title: "Upstreams", icon: "upstreams", group: "Run", View: Upstreams },
  { name: "keys", title: "Keys", icon: "keys", group: "Run", View: Keys },
  { name: "settings", title: "Settings", icon: "settings", group: "Run", View: Settings },
];
