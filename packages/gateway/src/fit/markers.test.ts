import { describe, expect, it } from "vitest";
import { openFitBench } from "../testing/fitting.ts";
import { markersIn } from "./markers.ts";

const file = (seed: number) =>
  Array.from({ length: 40 }, (_, line) => `line ${line} of file ${seed} says ${line * 37 * seed}`).join("\n");

function step(number: number, seed: number): object[] {
  const id = `call_${number}`;
  return [
    { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { path: `f${seed}` } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: file(seed) }] },
  ];
}

function body(...seeds: number[]): object {
  const messages = [{ role: "user", content: "Read." }, ...seeds.flatMap((seed, number) => step(number, seed))];
  return { model: "claude-sonnet-4-5", max_tokens: 100, messages };
}

const LOSSLESS = { window: 100_000, context: { strategy: "lossless" } };

describe("markersIn", () => {
  it("knows the markers that were sent, and what they stand for", async () => {
    const bench = await openFitBench(LOSSLESS);
    await bench.fit(body(1));
    const fitted = await bench.fit(body(1, 1));
    const markers = markersIn(fitted);
    const written = fitted.form.rendering?.parts.findLast((part) => part.kind === "written");
    const marker = JSON.parse(`[${written?.kind === "written" ? written.json : ""}]`)[0].content[0].content;
    const text = typeof marker === "string" ? marker : marker[0].text;
    expect(markers?.isBeginning(text.slice(0, 5))).toBe(true);
    expect(markers?.isBeginning("something else")).toBe(false);
    expect(markers?.expand(text)).toContain("line 20 of file 1");
    expect(markers?.expand("⟨ forged ⟩")).toBeUndefined();
  });

  it("are none where nothing refers", async () => {
    const bench = await openFitBench(LOSSLESS);
    expect(markersIn(await bench.fit(body(1)))).toBeUndefined();
  });
});
