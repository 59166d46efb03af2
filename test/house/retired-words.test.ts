import { expect, it } from "vitest";
import { findRetiredNames } from "../../scripts/retired-words.ts";

const found = (path: string, text: string) =>
  findRetiredNames({ path, text }).map(({ line, name, word }) => `${line} ${name}: ${word}`);

it("finds retired words in the names of a source, whatever their case and ending", () => {
  const text = ["const told = 1;", "interface KeyWish { targetDressing: string }", "x.standsFor(isStandIn);"].join(
    "\n",
  );
  expect(found("a.ts", text)).toEqual([
    "1 told: told",
    "2 KeyWish: wish",
    "2 targetDressing: dress",
    "3 standsFor: stand",
    "3 isStandIn: stand",
  ]);
});

it("finds retired names as a whole only", () => {
  expect(found("a.ts", "type Place = 1; const latest = place; class Turn {}; makeTurn();")).toEqual([
    "1 Place: Place",
    "1 Turn: Turn",
  ]);
});

it("finds names that comments and Markdown quote, and file names", () => {
  expect(found("a.ts", "// Returns `inTurn`, in turn.")).toEqual(["1 inTurn: inTurn"]);
  expect(found("a.md", "A wish.\nSee `RouteWish`.")).toEqual(["2 RouteWish: wish"]);
  expect(found("src/tell-all.ts", "")).toEqual(["1 tell-all: tell"]);
});

it("ignores words that only contain a retired one", () => {
  expect(found("a.ts", "address(earlier, standard, spelling, heartbeat, dearth);")).toEqual([]);
});
