import { expect, it } from "vitest";
import { knownLanguage } from "./language.ts";

it.each([
  ["de-DE", "de-DE"],
  ["en-us", "en-US"],
  ["en-US@posix", "en"],
  ["", "en"],
])("maps %j to %j", (name, language) => {
  expect(knownLanguage(name)).toBe(language);
});
