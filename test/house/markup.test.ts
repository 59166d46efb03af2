import { expect, it } from "vitest";
import { readFiles } from "../repository.ts";

/** Every way in which a page can turn text into markup or code. */
const WAYS =
  /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\(|new Function/;

it("shows conversations as text: no page writes markup", () => {
  const sources = readFiles((path) => /^packages\/dashboard\/src\/.*\.tsx?$/.test(path));
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.filter(({ text }) => WAYS.test(text)).map(({ path }) => path)).toEqual([]);
});
