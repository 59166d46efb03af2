import { expect, it } from "vitest";
import { findRetiredNames, RETIRED_NAMES, RETIRED_WORDS, type RetiredName } from "../scripts/retired-words.ts";
import { readFiles } from "./repository.ts";

interface Allowed {
  readonly under: string;
  readonly name: string;
  readonly most: number;
}

const allow = (under: string, names: Readonly<Record<string, number>>): Allowed[] =>
  Object.entries(names).map(([name, most]) => ({ under, name, most }));

/** Names in the old vocabulary that stay, with how often each may occur. Lower a number when a name gets rarer. */
const ALLOWED: readonly Allowed[] = [
  // The glossary's own word: a user turn.
  ...allow("packages/conversation/", { Turn: 3 }),
  ...allow("packages/condense/src/context-editing/", { Turn: 3 }),
  // A column that databases already have: whether an epoch is a placeholder.
  ...allow("packages/store/src/sql/", { isStandIn: 6 }),
  // Fields of stored projections: the text that a reference replaces, and the format of its lines.
  ...allow("packages/condense/", { standsFor: 13, dressing: 13, targetDressing: 15 }),
  ...allow("packages/condense/", { anyDressing: 2, anew: 2, foretold: 2, inTurn: 4, spelled: 7, Target: 2 }),
];

const files = readFiles((path) =>
  /^(?:packages|test|bench|scripts|docs|deploy)\/.*\.(?:ts|tsx|mjs|md)$|^[A-Z]+\.md$/.test(path),
);
/** These name the words that they look for. */
const OWN = /^(?:scripts|test|test\/house)\/retired-words/;
const found = files.filter(({ path }) => !OWN.test(path)).flatMap(findRetiredNames);

it("uses no name of the old vocabulary, except for allowed ones", () => {
  const isAllowed = (retired: RetiredName) =>
    ALLOWED.some(({ under, name }) => name === retired.name && retired.path.startsWith(under));
  const faults = found
    .filter((retired) => !isAllowed(retired))
    .map(({ path, line, name, word }) => {
      const instead = RETIRED_NAMES.get(word) ?? RETIRED_WORDS.get(word);
      return `${path}:${line} "${name}": instead of "${word}" use ${instead}`;
    });
  expect(faults).toEqual([]);
});

it.each(ALLOWED)("uses $name under $under at most $most times", ({ under, name, most }) => {
  const uses = found.filter((retired) => retired.name === name && retired.path.startsWith(under));
  expect(uses.length).toBeLessThanOrEqual(most);
});
