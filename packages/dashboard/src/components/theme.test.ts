import { describe, expect, it } from "vitest";
import { chooseTheme, chosenTheme, showTheme } from "./theme.ts";

describe("themes", () => {
  it.each([
    ["auto", false, "light"],
    ["auto", true, "dark"],
    ["light", true, "light"],
    ["dark", false, "dark"],
  ] as const)("shows %s on a system that is dark: %s as %s", (theme, isDark, shown) => {
    const place = makePlace(isDark);
    chooseTheme(theme, place);
    expect(place.root.dataset.theme).toBe(shown);
    expect(chosenTheme(place)).toBe(theme);
  });

  it("takes what it doesn't know for no choice", () => {
    const place = makePlace(true);
    place.storage.setItem("longhaul-theme", "<b>");
    showTheme(place);
    expect(place.root.dataset.theme).toBe("dark");
  });
});

function makePlace(isDark: boolean) {
  const kept = new Map<string, string>();
  return {
    storage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
    root: { dataset: {} as DOMStringMap },
    isSystemDark: () => isDark,
  };
}
