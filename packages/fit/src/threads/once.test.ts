import { expect, it } from "vitest";
import { once } from "./once.ts";

it("works a value out once, even where that is nothing", () => {
  let made = 0;
  const value = once(() => {
    made += 1;
    return undefined;
  });
  expect([value(), value(), made]).toEqual([undefined, undefined, 1]);
});
