/** The language of that name, or English where formatters refuse it, such as `en-US@posix`, a browser's own on a system without locales. */
export function knownLanguage(name: string): string {
  try {
    return Intl.getCanonicalLocales(name)[0] ?? "en";
  } catch {
    return "en";
  }
}

// uPlot asks for the formats of the browser's language while it is imported; a name that is refused would leave the page blank.
const known = knownLanguage(navigator.language);
if (known !== navigator.language) Object.defineProperty(navigator, "language", { value: known });
