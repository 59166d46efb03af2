import { describe, expect, it } from "vitest";
import { linksIn } from "./line-links.ts";

/** Returns the lines that each line of a text needs. */
function linksBetween(text: string): Record<string, string[]> {
  const lines = text.split("\n");
  let from = 0;
  const spans = lines.map((line) => {
    const span = { from, to: Math.min(text.length, from + line.length + 1) };
    from = span.to;
    return span;
  });
  const links = linksIn(text, spans);
  return Object.fromEntries([...links].map(([line, needed]) => [lines[line], needed.map((index) => lines[index])]));
}

describe("linksIn", () => {
  it("links a line that refers to an option or a step, or describes it, with the line that defines it", () => {
    const text = [
      "**Option A (Simple):** Block commands while the agent is streaming",
      "- Pros: safe",
      "### Step 2",
      "Queue them until the turn ends.",
      "",
      "I recommend option A, then Step 2. An option a user likes.",
    ];
    expect(linksBetween(text.join("\n"))).toEqual({
      [text[1] ?? ""]: [text[0]],
      [text[3] ?? ""]: [text[2]],
      [text[5] ?? ""]: [text[0], text[2], text[3]],
    });
  });

  it("takes the items of a list for options, and the latest definition", () => {
    const text = ["A) Wait.", "B) Go.", "Or rather:", "A) Stay.", "I would take option A or (B)."];
    expect(linksBetween(text.join("\n"))).toEqual({ [text[4] ?? ""]: ["B) Go.", "A) Stay."] });
  });

  it("links the items of a short numbered list with each other, and not those of a long one", () => {
    const list = ["1. Read the file.", "   It is short.", "2. Change it.", "3. Run the tests."];
    const links = linksBetween(`Plan:\n${list.join("\n")}\nDone.`);
    expect(links[list[2] ?? ""]).toEqual([list[0], list[1], list[3]]);
    expect(Object.keys(links)).toEqual(list);
    expect(linksBetween(list.map((line) => `${line}${" and so on".repeat(12)}`).join("\n"))).toEqual({});
    expect(linksBetween("1. One.\nA paragraph.\n2. Two.")).toEqual({});
  });

  it("takes linear time for many definitions and references", () => {
    const list = Array.from({ length: 99 }, (_, item) => `${item}.  `).join("\n");
    const start = process.cpuUsage().user;
    expect(linksBetween("1. Option A is option 1 (1)\n".repeat(10_000))).toBeDefined();
    expect(linksBetween(`${list}\n`.repeat(500))).toBeDefined();
    expect(process.cpuUsage(undefined).user - start).toBeLessThan(2_000_000);
  });
});
