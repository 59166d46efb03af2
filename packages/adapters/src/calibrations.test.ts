import { findModel, loadCatalog } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { makeCalibrations } from "./calibrations.ts";

const { model } = findModel(loadCatalog(), "claude-sonnet-4-5");
const lesson = { estimated: 1_000, reported: 1_100, hasMedia: false };

describe("makeCalibrations", () => {
  it("knows nothing of a model until it has learned, then its ratio alone", () => {
    const calibrations = makeCalibrations();
    calibrations.learn("a", model, { ...lesson, hasMedia: true });
    calibrations.learn("a", model, { ...lesson, reported: 9_000 });
    expect(calibrations.ratio("a")).toBeUndefined();
    calibrations.learn("a", model, lesson);
    expect(calibrations.ratio("a")).toBeCloseTo(1.32);
    expect(calibrations.ratio("b")).toBeUndefined();
  });

  it("forgets the model that was not heard of for longest", () => {
    const calibrations = makeCalibrations(2);
    for (const id of ["a", "b", "a", "c"]) calibrations.learn(id, model, lesson);
    expect(["a", "b", "c"].map((id) => calibrations.ratio(id) !== undefined)).toEqual([true, false, true]);
  });
});
