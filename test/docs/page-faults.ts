import { posix } from "node:path";
import { headingAnchor, numberRepeats } from "../../scripts/docs-site.ts";
import { lineAt, type TextFile } from "../architecture/source-file.ts";

/** Returns relative links in Markdown whose target does not exist. `paths` are the existing files and folders. */
export function brokenLinks(pages: readonly TextFile[], paths: ReadonlySet<string>): string[] {
  return pages.flatMap((page) =>
    linksIn(page.text)
      .filter((link) => !isThere(page, link, { pages, paths }))
      .map((link) => `${page.path} links to ${link}, which does not exist`),
  );
}

interface Repository {
  readonly pages: readonly TextFile[];
  readonly paths: ReadonlySet<string>;
}

function isThere(page: TextFile, link: string, { pages, paths }: Repository): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page.path : posix.join(posix.dirname(page.path), decodeURI(path));
  if (!paths.has(target.replace(/\/$/, ""))) return false;
  const targetPage = pages.find((other) => other.path === target);
  return heading === undefined || targetPage === undefined || headingsIn(targetPage.text).includes(heading);
}

function linksIn(markdown: string): string[] {
  const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm)];
  return links.map((match) => match[1] ?? match[2] ?? "").filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

/** Returns the anchors of a page's headings, as on GitHub. */
function headingsIn(markdown: string): string[] {
  const numbered = numberRepeats();
  return [...withoutCode(markdown).matchAll(/^#+ +(.+)$/gm)].map((match) => numbered(headingAnchor(match[1] ?? "")));
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""));
}

const NPM_ITSELF = new Set(["install", "ci", "pack", "view", "exec"]);

/** Returns npm commands in a page's code that package.json has no script for. */
export function commandFaults(page: TextFile, scripts: Readonly<Record<string, string>>): string[] {
  const commands = [...codeIn(page.text).matchAll(/\bnpm (run )?([a-z][\w:-]*)/g)];
  return commands
    .filter(([, run, name = ""]) => !Object.hasOwn(scripts, name) && (run !== undefined || !NPM_ITSELF.has(name)))
    .map(([command]) => `${page.path} uses "${command}", which package.json does not have`);
}

function codeIn(markdown: string): string {
  return [...markdown.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm)].map(([code]) => code).join("\n");
}

/** Written in pieces, so that this file does not match itself. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|")})\\b`, "g"), "unfinished work"],
  [new RegExp(`(?<![\\w.~}])/(${["work", "root"].join("|")})(?![\\w-])`, "g"), "a local path"],
  [
    new RegExp(
      `\\b(registry\\.[a-z-]+\\.[a-z]+|${["np" + "mmirror", "un" + "pkg", "js" + "delivr", "verdac" + "cio"].join("|")})\\b`,
      "g",
    ),
    "a package registry",
  ],
  [new RegExp(`\\b${"see" + "d"}s? 0?0\\d\\b`, "gi"), "a document outside the repository"],
];

/** Returns forbidden words with their lines. */
export function forbiddenWords(files: readonly TextFile[]): string[] {
  return files.flatMap((file) =>
    FORBIDDEN.flatMap(([pattern, reason]) =>
      [...file.text.matchAll(pattern)].map(
        (match) => `${file.path}:${lineAt(file.text, match.index)} has "${match[0]}": ${reason}`,
      ),
    ),
  );
}
