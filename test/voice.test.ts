import { expect, it } from "vitest";
import { findVoiceMarks } from "../scripts/voice-marks.ts";
import { readFiles, readJson } from "./repository.ts";

/** How many ordinary uses of the listed words each file may have. Lower a number when a file gets better; `npm run voice -- --list` shows them. */
const allowed = readJson<Readonly<Record<string, number>>>("test/house/voice-allowed.json");

const files = readFiles((path) =>
  /^(?:packages|test|bench|scripts|docs|deploy)\/.*\.(?:ts|tsx|mjs|md)$|^[A-Z]+\.md$/.test(path),
);
/** These name the words that they look for. */
const OWN = /^(?:scripts\/voice|test\/house\/(?:voice|retired))/;

it("reads the sources, tests and pages of the repository", () => {
  expect(files.length).toBeGreaterThan(1_000);
});

it("uses no phrase that plain technical English avoids, beyond the allowed ordinary uses", () => {
  const faults = files
    .filter(({ path }) => !OWN.test(path))
    .flatMap((file) => {
      const marks = findVoiceMarks(file);
      const most = allowed[file.path] ?? 0;
      return marks.length <= most ? [] : marks.map(({ line, mark, text }) => `${file.path}:${line} "${mark}": ${text}`);
    });
  expect(faults).toEqual([]);
});
