/** Returns the canonical name of a language, or `en` if `Intl` rejects it. Chromium reports `en-US@posix` on systems without locales. */
export function knownLanguage(name: string): string {
  try {
    return Intl.getCanonicalLocales(name)[0] ?? "en";
  } catch {
    return "en";
  }
}

// uPlot passes the browser's language to Intl while it is imported; a rejected name would leave the page blank.
const known = knownLanguage(navigator.language);
if (known !== navigator.language) Object.defineProperty(navigator, "language", { value: known });
