import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Choice, type Option } from "./components/controls.tsx";
import { Icon } from "./components/icon.tsx";
import { hrefTo, type Route } from "./components/router.ts";
import { chooseTheme, chosenTheme, showTheme, type Theme, type ThemePlace } from "./components/theme.ts";
import { errorMessage, useGateway } from "./gateway/gateway.tsx";
import { useToast } from "./gateway/toasts.tsx";
import { PAGES } from "./pages.ts";

/** The frame around every page: what pages there are, and whether the gateway is there. */
export function Shell({ place, children }: { readonly place: Route; readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [place]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={skipToContent}>
        Skip to content
      </button>
      <nav class="side" data-open={isOpen} aria-label="Pages">
        <div class="top">
          <a class="brand" href={hrefTo("")}>
            <Mark />
            Longhaul
          </a>
          <button type="button" class="menu-button quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon name={isOpen ? "close" : "menu"} />
            Menu
          </button>
        </div>
        <div class="pages">
          <PageList group="See" place={place} />
          <PageList group="Choose" place={place} />
          <PageList group="Run" place={place} />
        </div>
        <div class="foot">
          <a class="docs" href="/docs/index.html">
            <Icon name="docs" />
            Documentation
          </a>
          <ThemeChoice />
          <SignOut />
        </div>
      </nav>
      <main id="content" tabIndex={-1}>
        <Away />
        {children}
      </main>
    </div>
  );
}

/** Not by the address: its fragment names the page. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}

function PageList({ group, place }: { readonly group: string; readonly place: Route }) {
  const pages = PAGES.filter((page) => page.group === group);
  return (
    <>
      <div class="group" id={`pages-${group}`}>
        {group}
      </div>
      <ul aria-labelledby={`pages-${group}`}>
        {pages.map(({ name, title, icon }) => (
          <li key={name}>
            <a href={hrefTo(name)} {...(name === place.page ? { "aria-current": "page" as const } : {})}>
              <Icon name={icon} />
              {title}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function SignOut() {
  const { signOut } = useGateway();
  const tell = useToast();
  const leave = () => signOut().catch((error: unknown) => tell(errorMessage(error), "bad"));
  return (
    <button type="button" class="quiet" onClick={() => void leave()}>
      <Icon name="leave" />
      Sign out
    </button>
  );
}

/** Says that the gateway is away, as long as it is. */
function Away() {
  const { live } = useGateway();
  const [isThere, setThere] = useState(true);
  useEffect(() => live.watch(setThere), [live]);
  if (isThere) return null;
  return (
    <div class="notice warn" role="status">
      The gateway does not answer. What you see is from before; this page goes on by itself once it is back.
    </div>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0f766e" />
      <path d="M16 6v4m0 4v4m0 4v4" stroke="#fff" stroke-width="2.4" stroke-linecap="round" />
      <path d="M6 26 12 6m14 20L20 6" stroke="#fff" stroke-width="2" stroke-linecap="round" />
    </svg>
  );
}

const THEMES: readonly Option<Theme>[] = [
  ["auto", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

const darkQuery = matchMedia("(prefers-color-scheme: dark)");

const themePlace: ThemePlace = {
  storage: localStorage,
  root: document.documentElement,
  isSystemDark: () => darkQuery.matches,
};
showTheme(themePlace);

/** Light, dark, or as the system. */
function ThemeChoice() {
  const [theme, setTheme] = useState(() => chosenTheme(themePlace));
  useEffect(() => {
    const onChange = () => showTheme(themePlace);
    darkQuery.addEventListener("change", onChange);
    return () => darkQuery.removeEventListener("change", onChange);
  }, []);
  const choose = (chosen: Theme) => {
    chooseTheme(chosen, themePlace);
    setTheme(chosen);
  };
  return <Choice label="Colours" options={THEMES} value={theme} onChoose={choose} />;
}
