import { expect, it } from "vitest";
import { checkMachine, type Machine, thisMachine } from "./check-machine.ts";

const GOOD = { nodeVersion: "24.1.0", nowMs: 2e12, installedMs: 1.9e12, dashboard: "/pages" };
const states = (machine: Partial<Machine>) => checkMachine({ ...GOOD, ...machine }).map(({ state }) => state);

it("finds nothing wrong with this machine but that pages may not be built", () => {
  expect(checkMachine(thisMachine()).filter(({ state }) => state === "bad")).toEqual([]);
});

it.each([
  ["20.19.0", "bad"],
  ["22.18.9", "bad"],
  ["22.19.0", "good"],
  ["26.0.0", "good"],
])("judges Node %s", (nodeVersion, state) => {
  expect(states({ nodeVersion })[0]).toBe(state);
});

it("sees a clock that is behind, and a dashboard that is not built", () => {
  expect(states({ nowMs: 1e12 })).toEqual(["good", "bad", "good"]);
  expect(states({ dashboard: undefined })).toEqual(["good", "good", "note"]);
});
