import { useEffect, useState } from "preact/hooks";
import { common } from "../strings/common.ts";
import { Choice, type Option } from "./controls.tsx";

type Theme = "auto" | "light" | "dark";

const KEY = "longhaul-theme";

interface ThemeHost {
  readonly storage: Pick<Storage, "getItem" | "setItem">;
  readonly root: { readonly dataset: DOMStringMap };
  readonly isSystemDark: () => boolean;
}

export function chosenTheme({ storage }: Pick<ThemeHost, "storage">): Theme {
  const stored = storage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "auto";
}

export function chooseTheme(theme: Theme, host: ThemeHost): void {
  host.storage.setItem(KEY, theme);
  showTheme(host);
}

export function showTheme(host: ThemeHost): void {
  const theme = chosenTheme(host);
  host.root.dataset.theme = theme === "auto" ? (host.isSystemDark() ? "dark" : "light") : theme;
}

const OPTIONS: readonly Option<Theme>[] = [
  ["auto", common.theme.auto],
  ["light", common.theme.light],
  ["dark", common.theme.dark],
];

export function ThemeChoice() {
  const host = browserHost();
  const [theme, setTheme] = useState(() => chosenTheme(host));
  useEffect(() => {
    const onChange = () => showTheme(host);
    const query = darkQuery();
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, []);
  const choose = (chosen: Theme) => {
    chooseTheme(chosen, host);
    setTheme(chosen);
  };
  return <Choice label={common.theme.label} options={OPTIONS} value={theme} onChoose={choose} />;
}

export function browserHost(): ThemeHost {
  return { storage: localStorage, root: document.documentElement, isSystemDark: () => darkQuery().matches };
}

function darkQuery(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}
