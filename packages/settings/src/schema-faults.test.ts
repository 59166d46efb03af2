import { expect, it } from "vitest";
import { z } from "zod";
import { faultSentence, schemaFaults } from "./schema-faults.ts";

it("tells every fault with its place", () => {
  const { error } = z
    .object({ "a b": z.object({ c: z.number("must be a number") }), d: z.string("must be a text") })
    .safeParse({ "a b": {} });
  const faults = schemaFaults({ issues: error?.issues ?? [] });
  expect(faults.map(faultSentence)).toEqual(['"a b".c: must be a number', "d: must be a text"]);
});

it("tells what is wrong with the whole without a place", () => {
  expect(faultSentence({ path: "", message: "must be an object" })).toBe("must be an object");
});
