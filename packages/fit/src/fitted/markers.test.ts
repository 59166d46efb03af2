import { describe, expect, it } from "vitest";
import { makeReads, openFitBench } from "../testing/index.ts";
import { markersIn } from "./markers.ts";

const LOSSLESS = { window: 100_000, context: { strategy: "lossless" } };

describe("markersIn", () => {
  it("knows the markers that were sent, and what they stand for", async () => {
    const bench = await openFitBench(LOSSLESS);
    await bench.fit(makeReads(1));
    const fitted = await bench.fit(makeReads(1, 1));
    const markers = markersIn(fitted);
    const written = fitted.form.rendering?.parts.findLast((part) => part.kind === "written");
    const marker = JSON.parse(`[${written?.kind === "written" ? written.json : ""}]`)[0].content[0].content;
    const text = typeof marker === "string" ? marker : marker[0].text;
    expect(markers?.isPrefix(text.slice(0, 5))).toBe(true);
    expect(markers?.isPrefix("something else")).toBe(false);
    expect(markers?.expand(text)).toContain("line 20 of file 1");
    expect(markers?.expand("⟨ forged ⟩")).toBeUndefined();
  });

  it("are none where nothing refers", async () => {
    const bench = await openFitBench(LOSSLESS);
    expect(markersIn(await bench.fit(makeReads(1)))).toBeUndefined();
  });
});
