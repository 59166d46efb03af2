import { useEffect, useState } from "preact/hooks";
import { chooseTheme, chosenTheme, showTheme, type Theme, type ThemePlace } from "../theme.ts";

const THEMES: readonly (readonly [theme: Theme, words: string])[] = [
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
  return (
    <div class="field">
      <label for="theme" class="small soft">
        Colours
      </label>
      <select id="theme" value={theme} onChange={({ currentTarget }) => choose(themeNamed(currentTarget.value))}>
        {THEMES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

function themeNamed(name: string): Theme {
  return THEMES.find(([theme]) => theme === name)?.[0] ?? "auto";
}
