import { expect, it } from "vitest";
import { terminalSvg } from "../../scripts/terminal-svg.ts";
import { readText } from "../repository.ts";

const MAX_BYTES = 1_000_000;

function textsIn(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);
}

it("draws the command and every printed line, with markup escaped", () => {
  const svg = terminalSvg("longhaul demo", ["a < b & c", "", "done"]);
  expect(textsIn(svg)).toEqual(["$ longhaul demo", "a &lt; b &amp; c", "done"]);
});

it("scrolls so that the last line ends on the last row", () => {
  const svg = terminalSvg(
    "longhaul demo",
    Array.from({ length: 98 }, (_, row) => `line ${row}`),
  );
  const [, rows = 0] = /<svg aria-hidden="true" y="16" width="\d+" height="(\d+)"/.exec(svg) ?? [];
  const [, end = 0] = /\.lines \{[^}]*translateY\((-\d+)px\)/.exec(svg) ?? [];
  const [, last = 0] = /y="(\d+)"[^>]*>line 97</.exec(svg) ?? [];
  expect(Number(last) + Number(end)).toBeLessThanOrEqual(Number(rows));
  expect(Number(last) + Number(end)).toBeGreaterThan(Number(rows) - 19);
});

it("keeps the README's recording small, with the result of the demo at its end", () => {
  const svg = readText("docs/screenshots/demo.svg");
  expect(svg.length).toBeLessThan(MAX_BYTES);
  expect(textsIn(svg).slice(-4).join("\n")).toMatch(/^Cost at list prices: \$/m);
  expect(textsIn(svg).at(-1)).toContain("longhaul setup");
  expect(textsIn(svg).join("\n")).not.toMatch(/127\.0\.0\.1|token=/);
});
