import { describe, expect, it } from "vitest";
import { toCsv, toFileName } from "./table.tsx";

describe("toCsv", () => {
  it("has a column for each field and quotes what needs it", () => {
    const rows = [
      { id: "a", cost: -0.5, title: 'Say "hi", twice' },
      { id: "b\nc", tags: ["x"], isOn: true },
    ];
    expect(toCsv(rows)).toBe('id,cost,title,tags,isOn\r\na,-0.5,"Say ""hi"", twice",,\r\n"b\nc",,,"[""x""]",true\r\n');
  });

  it("defuses formulas", () => {
    expect(toCsv([{ title: "=HYPERLINK(1)" }, { title: "-1+1" }])).toBe("title\r\n'=HYPERLINK(1)\r\n'-1+1\r\n");
  });
});

it("names files after their table", () => {
  expect(toFileName("By API key", "csv")).toBe("longhaul-by-api-key.csv");
});
