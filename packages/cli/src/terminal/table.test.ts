import { describe, expect, it } from "vitest";
import { styleOf } from "./output.ts";
import { formatTable } from "./table.ts";

const wide = styleOf({ hasColours: false });

describe("formatTable", () => {
  it("aligns columns", () => {
    const rows = [
      ["name", "n"],
      ["a", "12"],
      ["long name", "3"],
    ];
    expect(formatTable(rows, wide)).toBe("name        n\na          12\nlong name   3\n");
  });

  const rows = [
    ["Session", "Prompt tokens", "Cache read", "Cost"],
    ["~/projects/shop/session-1.jsonl", "1,234,567", "98,765", "$1.25"],
    ["b", "12", "9,000", "$0"],
  ];

  it("shortens counts and wraps heads and long names to fit the terminal, and cuts nothing", () => {
    const narrow = formatTable(rows, { ...wide, columns: 40 });
    expect(narrow.split("\n")).toEqual([
      "         Prompt  Cache       ",
      "Session  tokens   read   Cost",
      "~/projects/shop/session-1.jsonl",
      "           1.2M    99K  $1.25",
      "b            12  9,000     $0",
      "",
    ]);
  });

  it("wraps the first head and a name of several words", () => {
    const named = [
      ["Last 30 days, by session", "Requests"],
      ["Explain the login form of the shop (1a2b3c4d)", "1,234,567"],
    ];
    expect(formatTable(named, { ...wide, columns: 24 }).split("\n")).toEqual([
      "Last 30 days,          ",
      "by session     Requests",
      "Explain the login form",
      "of the shop (1a2b3c4d)",
      "                   1.2M",
      "",
    ]);
  });

  it("continues in another table if the columns are still too wide", () => {
    const [, second = [], third = []] = rows;
    const tables = formatTable([rows[0] ?? [], ["session-1.jsonl", ...second.slice(1)], third], {
      ...wide,
      columns: 24,
    }).split("\n\n");
    expect(tables).toHaveLength(2);
    for (const line of tables.join("\n").split("\n")) expect(line.length).toBeLessThanOrEqual(24);
    expect(tables[1]).toMatch(/^session-1.jsonl\n.*\$1\.25/m);
    expect(tables[1]).toMatch(/^b /m);
  });

  it("leaves out lines of a wrapped head that are empty in a continued table", () => {
    const tables = formatTable(
      [
        ["Name", "one two three", "four", "five"],
        ["a", "1234567890", "123456", "12345678"],
      ],
      {
        ...wide,
        columns: 16,
      },
    );
    expect(tables).not.toContain("\n\n ");
    expect(tables).toContain("\n\nName  ");
  });

  it.each([80, 100, 132])("fits %i columns with the nine columns of usage", (columns) => {
    const head = ["Last 30 days, by model", "Requests", "Errors", "Input", "Cache write", "Cache read", "Output"];
    const row = [
      "anthropic.claude-sonnet-4-5",
      "12,345",
      "1,234",
      "123,456,789",
      "12,345,678",
      "987,654,321",
      "1,234,567",
    ];
    const table = [
      [...head, "Cost", "Net savings"],
      [...row, "$1234.56", "-$123.45"],
    ];
    for (const line of formatTable(table, { ...wide, columns }).split("\n")) {
      expect(line.length).toBeLessThanOrEqual(columns);
    }
  });
});
