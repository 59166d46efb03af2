import { lineAt, type TextFile } from "../architecture/source-file.ts";

/** Written in pieces, so that this file does not hold what it looks for. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|")})\\b`, "g"), "work left undone"],
  [new RegExp(`(?<![\\w.~}])/(${["work", "root"].join("|")})(?![\\w-])`, "g"), "a path of one machine"],
  [
    new RegExp(
      `\\b(registry\\.[a-z-]+\\.[a-z]+|${["np" + "mmirror", "un" + "pkg", "js" + "delivr", "verdac" + "cio"].join("|")})\\b`,
      "g",
    ),
    "a package registry",
  ],
  [new RegExp(`\\b${"see" + "d"}s? 0?0\\d\\b`, "gi"), "a paper that is not in the repository"],
];

/** Words that have no place in the repository, with their lines. */
export function forbiddenWords(files: readonly TextFile[]): string[] {
  return files.flatMap((file) =>
    FORBIDDEN.flatMap(([pattern, reason]) =>
      [...file.text.matchAll(pattern)].map(
        (match) => `${file.path}:${lineAt(file.text, match.index)} has "${match[0]}": ${reason}`,
      ),
    ),
  );
}
