import type { ComponentType } from "preact";
import type { IconName } from "./components/icon.tsx";
import type { Route } from "./components/router.ts";
import { Playground } from "./pages/playground.tsx";
import { Keys } from "./pages/settings/keys.tsx";
import { Profiles } from "./pages/settings/profiles.tsx";
import { Settings } from "./pages/settings/settings.tsx";
import { Upstreams } from "./pages/settings/upstreams.tsx";
import { Presets } from "./pages/strategies/presets.tsx";
import { Prompts } from "./pages/strategies/prompts.tsx";
import { Strategies } from "./pages/strategies/strategies.tsx";
import { Overview } from "./pages/traffic/overview.tsx";
import { Requests } from "./pages/traffic/requests.tsx";
import { Sessions } from "./pages/traffic/sessions.tsx";

/** One page of the dashboard. */
interface PageEntry {
  /** As it stands in the address. */
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly group: "See" | "Choose" | "Run";
  readonly View: ComponentType<{ readonly place: Route }>;
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
