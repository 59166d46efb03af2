/** What the reader chose; `auto` is what the system says. */
export type Theme = "auto" | "light" | "dark";

const KEY = "longhaul-theme";

/** As much of the browser as the choice needs. */
export interface ThemePlace {
  readonly storage: Pick<Storage, "getItem" | "setItem">;
  readonly root: { readonly dataset: DOMStringMap };
  readonly isSystemDark: () => boolean;
}

/** The choice that was made before, or `auto`. */
export function chosenTheme({ storage }: Pick<ThemePlace, "storage">): Theme {
  const kept = storage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "auto";
}

/** Keeps a choice and shows it. */
export function chooseTheme(theme: Theme, place: ThemePlace): void {
  place.storage.setItem(KEY, theme);
  showTheme(place);
}

/** Shows what was chosen. */
export function showTheme({ storage, root, isSystemDark }: ThemePlace): void {
  const theme = chosenTheme({ storage });
  root.dataset.theme = theme === "auto" ? (isSystemDark() ? "dark" : "light") : theme;
}
