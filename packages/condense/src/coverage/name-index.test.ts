import type { Message } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textsIn } from "../edits/text-position.ts";
import { anySession } from "../testing/any-session.ts";
import { makeCounter, makeTestView } from "../testing/context.ts";
import { planCover } from "./cover.ts";
import { identifiersIn } from "./identifiers.ts";
import { indexNames } from "./name-index.ts";

const counter = makeCounter();
const read = (id: string, path: string, text: string) => [
  makeAssistant(makeToolCall(id, { name: "read_file", input: { path } })),
  makeUser(makeToolResult(id, text)),
];
const messages = [
  makeUser("Rename parseLine in src/parse.ts."),
  ...read("a", "src/parse.ts", "export function parseLine(lineText) {\n  return splitWords(lineText);\n}"),
  makeAssistant("splitWords is in src/words.ts, too."),
  ...read("b", "src/words.ts", "export const splitWords = (lineText) => lineText.split(wordBreak);"),
  makeUser("Go on."),
];
const conversation = (of: typeof messages) => ({ system: [], tools: [], messages: of });
const raw = conversation(messages);

function index(kept: typeof messages, maxTokens = 200): string {
  return indexNames({ raw, kept: conversation(kept), maxTokens, counter });
}

describe("indexNames", () => {
  it("lists names that are missing, grouped by file", () => {
    expect(index([makeUser("Go on.")])).toBe(
      "Other names left out: src/words.ts (splitWords lineText wordBreak lineText.split) src/parse.ts parseLine",
    );
  });

  it("names a file that is kept by the last two parts of its path", () => {
    const path = "/home/ann/project/src/words.ts";
    const deep = conversation([...read("a", path, "splitWords(lineText, wordBreak)"), makeUser("Go on.")]);
    const of = (kept: Message[]) => indexNames({ raw: deep, kept: conversation(kept), maxTokens: 200, counter });
    expect(of([makeUser(`Read ${path}.`)])).toBe("Other names left out: src/words.ts (lineText wordBreak splitWords)");
    expect(of([makeUser("Go on.")])).toContain(path);
  });

  it("does not list names that are kept", () => {
    expect(index(messages)).toBe("");
    expect(index([makeUser("splitWords, wordBreak and src/words.ts")])).not.toContain("splitWords");
  });

  it("names the strongest first when there is little room", () => {
    const short = index([makeUser("Go on.")], 12);
    expect(short).not.toBe("");
    expect(short).not.toContain("wordBreak");
    expect(index([makeUser("Go on.")], 3)).toBe("");
  });

  it("leaves out numbers, and remnants of escapes, listings and times", () => {
    const text = String.raw`callModel\ncallModel total 8\n-rw-r--r-- drwxr-xr-x \u0026 12:00:00.993Z 0.28s 4711 readLines`;
    const shown = conversation([makeUser(text), makeUser("Go on.")]);
    const kept = conversation([makeUser("Go on.")]);
    expect(indexNames({ raw: shown, kept, maxTokens: 100, counter })).toBe("Other names left out: callModel readLines");
  });

  it("leaves out remnants of colors, quotes and markup", () => {
    const color = `${String.fromCharCode(27)}[`;
    const text = `${color}34mChecked ${color}2m3.2k p-4 mt-3 bg-gray-50 uses-- ci-$ \\nHTML “apply_patch readLines gpt-4`;
    const shown = conversation([makeUser(text), makeUser("Go on.")]);
    const kept = conversation([makeUser("Go on.")]);
    const names = indexNames({ raw: shown, kept, maxTokens: 100, counter });
    expect(namesIn(names).sort()).toEqual(["apply_patch", "gpt-4", "readLines"]);
  });

  it("leaves out files that a bundler named by their content", () => {
    const text =
      "client/assets/home-UHhJFraT.js.map assets/index-Cl7Lnoc1.css src/home-selector.ts lib/app-settings.js";
    const shown = conversation([makeUser(text), makeUser("Go on.")]);
    const names = indexNames({ raw: shown, kept: conversation([makeUser("Go on.")]), maxTokens: 100, counter });
    expect(namesIn(names).sort()).toEqual(["lib/app-settings.js", "src/home-selector.ts"]);
  });

  it("leaves out anything that looks like a key", () => {
    const secret = "sk-ant-api03-Zx81kQ0pLm55TyUvBn3c";
    const told = conversation([makeUser(`Use ${secret} with callModel.`), makeUser("Go on.")]);
    const text = indexNames({ raw: told, kept: conversation([makeUser("Go on.")]), maxTokens: 100, counter });
    expect(text).toContain("callModel");
    expect(text).not.toContain("Zx81kQ0pLm55TyUvBn3c");
  });

  it("is the same whether or not a pass has read the conversation before", () => {
    const twin = { ...raw, messages: [...raw.messages] };
    planCover(makeTestView(twin, 60));
    const kept = conversation([makeUser("Go on.")]);
    expect(indexNames({ raw: twin, kept, maxTokens: 200, counter })).toBe(index(kept.messages));
  });

  it("stays within its limit, is deterministic, and lists only names that occur and are missing", () => {
    fc.assert(
      fc.property(anySession(), fc.integer({ min: 0, max: 300 }), fc.nat(), (any, maxTokens, seed) => {
        const kept = { ...any, messages: any.messages.filter((_, position) => (position * 7 + seed) % 3 !== 0) };
        const request = { raw: any, kept, maxTokens, counter };
        const text = indexNames(request);
        expect(indexNames({ ...request, raw: { ...any, messages: [...any.messages] } })).toBe(text);
        expect(text === "" || counter.countText(text) <= maxTokens).toBe(true);
        const names = namesIn(text);
        expect(names.filter((name) => !textOf(any.messages).includes(name))).toEqual([]);
        const present = new Set(identifiersIn(textOf(kept.messages)));
        expect(names.filter((name) => present.has(name))).toEqual([]);
      }),
    );
  });
});

/** Returns the names of an index without the files that they are grouped by. */
function namesIn(index: string): string[] {
  const listed = index.replace("Other names left out: ", "").replace(/[^\s()]+ \(/g, "");
  return listed.split(/[(),\s]+/).filter((name) => name !== "");
}

function textOf(of: readonly Message[]): string {
  return of.flatMap(({ blocks }) => blocks.flatMap(textsIn).map(({ text }) => text)).join("\n");
}
