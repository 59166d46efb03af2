import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "./components/button.tsx";
import { Icon } from "./components/icon.tsx";
import { hrefTo, type Route } from "./components/router.ts";
import { browserHost, showTheme, ThemeChoice } from "./components/theme.tsx";
import { errorMessage, useGateway } from "./gateway/gateway.tsx";
import { useToast } from "./gateway/toasts.tsx";
import { PAGE_GROUPS, PAGES, type PageGroup } from "./pages.ts";
import { common } from "./strings/common.ts";

showTheme(browserHost());

export function Shell({ route, children }: { readonly route: Route; readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [route]);
  return (
    <div class="shell">
      <Button label={common.nav.skip} class="skip" onClick={skipToContent} />
      <nav class="side" data-open={isOpen} aria-label={common.nav.label}>
        <div class="top">
          <a class="brand" href={hrefTo("")}>
            <Logo />
            {common.product}
          </a>
          <Button
            label={common.nav.menu}
            icon={isOpen ? "close" : "menu"}
            class="menu-button quiet"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </div>
        <div class="pages">
          {PAGE_GROUPS.map((group) => (
            <PageLinks key={group} group={group} route={route} />
          ))}
        </div>
        <div class="foot">
          <a class="docs" href="/docs/index.html">
            <Icon name="docs" />
            {common.nav.documentation}
          </a>
          <ThemeChoice />
          <SignOut />
        </div>
      </nav>
      <main id="content" tabIndex={-1}>
        <Offline />
        {children}
      </main>
    </div>
  );
}

/** A link to `#content` would change the route, which is in the fragment. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}

function PageLinks({ group, route }: { readonly group: PageGroup; readonly route: Route }) {
  return (
    <>
      <div class="group" id={`pages-${group}`}>
        {common.nav.groups[group]}
      </div>
      <ul aria-labelledby={`pages-${group}`}>
        {PAGES.filter((page) => page.group === group).map(({ path, title, icon }) => (
          <li key={path}>
            <a href={hrefTo(path)} {...(path === route.page ? { "aria-current": "page" as const } : {})}>
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
  const showToast = useToast();
  const leave = () => signOut().catch((error: unknown) => showToast(errorMessage(error), "bad"));
  return <Button label={common.nav.signOut} icon="leave" class="quiet" onClick={leave} />;
}

function Offline() {
  const { live } = useGateway();
  const [isConnected, setConnected] = useState(true);
  useEffect(() => live.watch(setConnected), [live]);
  if (isConnected) return null;
  return (
    <div class="notice warn" role="status">
      {common.errors.offline}
    </div>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0f766e" />
      <path d="M16 6v4m0 4v4m0 4v4" stroke="#fff" stroke-width="2.4" stroke-linecap="round" />
      <path d="M6 26 12 6m14 20L20 6" stroke="#fff" stroke-width="2" stroke-linecap="round" />
    </svg>
  );
}
