import { expect, it } from "vitest";
import { fillText, fillValue, fillVariables } from "./fill.ts";

const filling = { url: "http://g", model: "m" };

it("leaves out what needs a key where there is none", () => {
  expect(fillVariables({ A: "{url}/v1", B: "{key}", C: "{anyKey}" }, filling)).toEqual({
    A: "http://g/v1",
    C: "longhaul",
  });
  expect(fillVariables({ B: "{key}", C: "{anyKey}" }, { ...filling, key: "k" })).toEqual({ B: "k", C: "k" });
  expect(fillText("{key}", filling)).toBeUndefined();
});

it("fills every text in a value", () => {
  expect(fillValue({ a: ["{model}", 1, "{key}"], b: null, c: "{key}" }, filling)).toEqual({ a: ["m", 1], b: null });
});
