import { describe, expect, it } from "vitest";
import { chooseTheme, chosenTheme, showTheme } from "./theme.tsx";

describe("themes", () => {
  it.each([
    ["auto", false, "light"],
    ["auto", true, "dark"],
    ["light", true, "light"],
    ["dark", false, "dark"],
  ] as const)("shows %s as expected when the system is dark: %s", (theme, isDark, shown) => {
    const host = makeHost(isDark);
    chooseTheme(theme, host);
    expect(host.root.dataset.theme).toBe(shown);
    expect(chosenTheme(host)).toBe(theme);
  });

  it("follows the system when the stored choice is unknown", () => {
    const host = makeHost(true);
    host.storage.setItem("longhaul-theme", "<b>");
    showTheme(host);
    expect(host.root.dataset.theme).toBe("dark");
  });
});

function makeHost(isDark: boolean) {
  const stored = new Map<string, string>();
  return {
    storage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
    root: { dataset: {} as DOMStringMap },
    isSystemDark: () => isDark,
  };
}
