import { describe, expect, it } from "vitest";
import { barChart, lineChart, shareBar } from "./plots.ts";

describe("shareBar", () => {
  it("draws each piece with its share of the width", () => {
    const { markup } = shareBar("Parts", [
      { name: "a", value: 3, label: "75 %", colour: 0 },
      { name: "b", value: 1, label: "25 %", colour: 1 },
    ]);
    expect([...markup.matchAll(/<rect x="(\d+)" y="0" width="(\d+)"/g)].map(([, x, width]) => [x, width])).toEqual([
      ["0", "540"],
      ["540", "180"],
    ]);
    expect(markup).toContain('aria-label="Parts"');
  });
});

describe("barChart", () => {
  it("draws negative bars to the left of zero and positive ones to the right", () => {
    const { markup } = barChart("Saved", [
      { name: "gain", value: 3, label: "$3", colour: 0 },
      { name: "loss", value: -1, label: "-$1", colour: 1 },
    ]);
    const [gain, loss] = [...markup.matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)"/g)].map(([, x, w]) => [
      Number(x),
      Number(w),
    ]);
    expect(gain?.[1]).toBeCloseTo(3 * (loss?.[1] ?? 0));
    expect((loss?.[0] ?? 0) + (loss?.[1] ?? 0)).toBeCloseTo(gain?.[0] ?? 0);
  });

  it("draws no bars for an empty list", () => {
    expect(barChart("Saved", [{ name: "a", value: 0, label: "0", colour: 0 }]).markup).toContain('width="0"');
  });
});

describe("lineChart", () => {
  it("draws every line within the chart, with a limited number of points", () => {
    const values = Array.from({ length: 5_000 }, (_, index) => index * 300);
    const { markup } = lineChart("Prompt", [{ name: "<as sent>", values, colour: 9 }], {
      name: "window",
      value: 800_000,
    });
    const points = /points="([^"]+)"/.exec(markup)?.[1]?.split(" ") ?? [];
    expect(points.length).toBeLessThanOrEqual(401);
    expect(points.at(-1)).toBe("712.0,8.0");
    expect(markup).toContain("&lt;as sent&gt;");
    expect(markup).toContain(">1.5M</text>");
    expect(markup).toContain("request 5,000");
  });

  it("labels small numbers without a unit", () => {
    expect(
      lineChart("Prompt", [{ name: "a", values: [1, 2], colour: 0 }], { name: "w", value: 4_000 }).markup,
    ).toContain(">4K</text>");
    expect(lineChart("Prompt", [{ name: "a", values: [1, 2], colour: 0 }], { name: "w", value: 8 }).markup).toContain(
      ">8</text>",
    );
  });
});
