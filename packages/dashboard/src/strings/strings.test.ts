import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { common } from "./common.ts";
import { strings as docs } from "./docs.ts";
import { strings as errors } from "./errors.ts";
import { strings as keys } from "./keys.ts";
import { strings as overview } from "./overview.ts";
import { strings as playground } from "./playground.ts";
import { strings as requests } from "./requests.ts";
import { strings as routes } from "./routes.ts";
import { strings as sessions } from "./sessions.ts";
import { strings as settings } from "./settings.ts";
import { strings as strategies } from "./strategies.ts";
import { strings as upstreams } from "./upstreams.ts";

const SOURCES = fileURLToPath(new URL("..", import.meta.url));
const CATALOGS = {
  common,
  docs,
  errors,
  keys,
  overview,
  playground,
  requests,
  routes,
  sessions,
  settings,
  strategies,
  upstreams,
};

describe("components", () => {
  it("contain no user-visible text: all of it is in src/strings", () => {
    const paths = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
      (path) => /\.tsx?$/.test(path) && !/^strings\b|\.test\.ts$|\.d\.ts$/.test(path),
    );
    expect(paths.length).toBeGreaterThan(40);
    expect(
      paths.flatMap((path) =>
        textIn(path, readFileSync(join(SOURCES, path), "utf8")).map((text) => `${path}: ${text}`),
      ),
    ).toEqual([]);
  });

  it.each([
    ["<p>Hello</p>", ["Hello"]],
    ["<p>{isOn ? 'on' : 'off'}</p>", ["on", "off"]],
    ["<p>{`${count} rows`}</p>", ["… rows"]],
    [
      "<a aria-label='close' title={`Close ${name}`} class='row end last' href='/docs/index.html' />",
      ["close", "Close …"],
    ],
    ["<Card detail={isDry ? 'dry run' : undefined} />", ["dry run"]],
    ["showToast('It was saved.')", ["It was saved."]],
    ["const COLUMNS = [{ name: 'Requests', isNumeric: true }]", ["Requests"]],
    ["<i class={mood === 'bad' ? 'badge bad' : 'badge'} data-part='free'>{texts.title}</i>", []],
    ["if (kind === 'Some kind of error') throw new Error('useGateway needs a provider')", []],
    ["api.get(`/sessions/${id}?limit=${limit}`)", []],
    ["import { a } from 'Some module of ours'; type A = 'Not a text at all'", []],
  ])("are found to contain text in %s", (source, found) => {
    expect(textIn("a.tsx", source)).toEqual(found);
  });
});

describe("catalogs", () => {
  const texts = Object.entries(CATALOGS).flatMap(([name, catalog]) => textsOf(catalog, name));

  it("have text everywhere", () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it.each([
    ["a space before a percent sign", /\d %/],
    ["a bare multiplication sign", /×/],
    ["two spaces", / {2}/],
    ["three dots instead of an ellipsis", /\.\.\./],
    ["title case", /(?<![.:;“] )\b(?!(?:Claude|Qwen) Code\b)[A-Z][a-z]+ [A-Z][a-z]+/],
    ["an abbreviation in the wrong case", /\b(?:Api|Url|Id|Json|Usd|api key|base url)\b/],
    [
      "words that the product does not use",
      /\b(?:tells?|told|whoever|nobody|besides|anew|in force|as it came|further up)\b/,
    ],
  ])("have no text with %s", (_, pattern) => {
    expect(texts.filter(([, text]) => pattern.test(text))).toEqual([]);
  });
});

/** Returns every text of a catalog with its path. Functions are called with a number for each parameter. */
function textsOf(value: unknown, path: string): (readonly [path: string, text: string])[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return [[path, String(value(...Array(value.length).fill(2)))]];
  return Object.entries(value ?? {}).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
}

interface Node {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** Attributes and props that are shown to the reader or read by a screen reader. */
const TEXT_PROPS = new Set(["action", "alt", "aria-label", "detail", "help", "label", "lead", "placeholder", "title"]);
/** Attributes that are never shown. */
const HIDDEN_PROPS = /^(?:class|style|key|d|accept|pattern|data-.*)$/;
/** Looks like text in code that is not JSX: three words, or a capitalized word at the start. */
const PROSE = /\p{L}+ \p{L}+ \p{L}+|^\p{Lu}\p{Ll}+(?: |$)/u;

/** Returns the user-visible texts in a source file. */
function textIn(path: string, source: string): string[] {
  const found: string[] = [];
  const visitText = (text: string, isShown: boolean) => {
    if (isShown ? /\p{L}/u.test(text) : PROSE.test(text)) found.push(text.trim());
  };
  const visitAll = (node: Node, isShown: boolean) => {
    for (const [name, inner] of Object.entries(node)) {
      const isChild = name !== "type" && name !== "key";
      for (const one of isChild ? [inner].flat() : []) if (isNode(one)) visit(one, isShown);
    }
  };
  const visit = (node: Node, isShown: boolean) => {
    const { type, value } = node;
    const special = visitors.get(type);
    if (special !== undefined) special(node);
    else if (typeof value === "string") visitText(value, isShown);
    else if (!isNeverShown(node)) {
      if (type === "TemplateLiteral") visitText(templateText(node), isShown);
      visitAll(node, isShown && type !== "CallExpression" && type !== "NewExpression");
    }
  };
  const visitAttribute = ({ name, value }: Node) => {
    const attribute = isNode(name) ? String(name.name) : "";
    if (isNode(value) && !HIDDEN_PROPS.test(attribute)) visit(value, TEXT_PROPS.has(attribute));
  };
  const visitElement = ({ openingElement, children }: Node) => {
    if (isNode(openingElement)) visitAll(openingElement, false);
    for (const child of [children].flat()) if (isNode(child)) visit(child, true);
  };
  const visitors: ReadonlyMap<string, (node: Node) => void> = new Map([
    ["JSXText", ({ value }) => visitText(String(value), true)],
    ["JSXAttribute", visitAttribute],
    ["JSXElement", visitElement],
    ["JSXFragment", visitElement],
  ]);
  const program: unknown = parseSync(path, source).program;
  if (isNode(program)) visit(program, false);
  return found;
}

/** Imports, types, compared values and internal errors. */
function isNeverShown({ type, operator, callee }: Node): boolean {
  if (type === "BinaryExpression") return /^(?:[!=]==|in)$/.test(String(operator));
  if (type === "NewExpression") return isNode(callee) && callee.name === "Error";
  return type === "ImportDeclaration" || (type.startsWith("TS") && !/^TS(?:As|Satisfies)Expression$/.test(type));
}

function templateText({ quasis }: Node): string {
  const pieces = [quasis].flat().map((quasi) => (isNode(quasi) ? (quasi.value as { readonly raw: string }).raw : ""));
  return pieces.join("…");
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
