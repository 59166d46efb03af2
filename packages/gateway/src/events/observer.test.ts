import { makeCondensationEvent } from "@longhaul/store/testing";
import { expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { notifyAll } from "./observer.ts";

it("notifies all observers in order", () => {
  const calls: string[] = [];
  const observer = (name: string) => ({
    finished: () => void calls.push(`${name} finished`),
    condensed: () => void calls.push(`${name} condensed`),
  });
  const all = notifyAll([observer("a"), observer("b")]);
  all.finished(makeFinished());
  all.condensed(makeCondensationEvent());
  expect(calls).toEqual(["a finished", "b finished", "a condensed", "b condensed"]);
});
