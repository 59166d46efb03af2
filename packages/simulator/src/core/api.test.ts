import { expect, it } from "vitest";
import { ensure, Rejection } from "./api.ts";

it("throws status, message and details", () => {
  const refuse = () => ensure(false, "no", { code: "x", param: "y" });
  expect(refuse).toThrow(Rejection);
  expect(refuse).toThrow(expect.objectContaining({ status: 400, message: "no", details: { code: "x", param: "y" } }));
});

it("builds a function's message only when needed", () => {
  const write = () => {
    throw new Error("written");
  };
  expect(() => ensure(true, write)).not.toThrow();
  expect(() => ensure(false, () => "long")).toThrow("long");
});

it("does nothing if the condition is true", () => {
  expect(() => ensure(true, "no")).not.toThrow();
});
