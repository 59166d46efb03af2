import { makeCondensationEvent } from "@longhaul/store/testing";
import { expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { notifyAll } from "./observer.ts";

it("notifies all observers in order", () => {
  const told: string[] = [];
  const observer = (name: string) => ({
    finished: () => void told.push(`${name} finished`),
    condensed: () => void told.push(`${name} condensed`),
  });
  const all = notifyAll([observer("a"), observer("b")]);
  all.finished(makeFinished());
  all.condensed(makeCondensationEvent());
  expect(told).toEqual(["a finished", "b finished", "a condensed", "b condensed"]);
});
