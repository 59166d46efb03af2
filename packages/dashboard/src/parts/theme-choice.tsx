import { useEffect, useState } from "preact/hooks";
import { Choice, type Option } from "./choice.tsx";
import { chooseTheme, chosenTheme, showTheme, type Theme, type ThemePlace } from "./theme.ts";

const THEMES: readonly Option<Theme>[] = [
  ["auto", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

const darkQuery = matchMedia("(prefers-color-scheme: dark)");

const place: ThemePlace = {
  storage: localStorage,
  root: document.documentElement,
  isSystemDark: () => darkQuery.matches,
};
showTheme(place);

/** Light, dark, or as the system. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(() => chosenTheme(place));
  useEffect(() => {
    const onChange = () => showTheme(place);
    darkQuery.addEventListener("change", onChange);
    return () => darkQuery.removeEventListener("change", onChange);
  }, []);
  const choose = (chosen: Theme) => {
    chooseTheme(chosen, place);
    setTheme(chosen);
  };
  return <Choice label="Colours" options={THEMES} value={theme} onChoose={choose} />;
}
