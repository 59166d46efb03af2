import { expect, it } from "vitest";
import { demand, Rejection } from "./api.ts";

it("refuses with status, message and details", () => {
  const refuse = () => demand(false, "no", { code: "x", param: "y" });
  expect(refuse).toThrow(Rejection);
  expect(refuse).toThrow(expect.objectContaining({ status: 400, message: "no", details: { code: "x", param: "y" } }));
});

it("writes a long message only where it is needed", () => {
  const write = () => {
    throw new Error("written");
  };
  expect(() => demand(true, write)).not.toThrow();
  expect(() => demand(false, () => "long")).toThrow("long");
});

it("says nothing where the condition holds", () => {
  expect(() => demand(true, "no")).not.toThrow();
});
