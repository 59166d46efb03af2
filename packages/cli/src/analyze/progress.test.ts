import { describe, expect, it } from "vitest";
import { openProgress } from "./progress.ts";

function shown(isWatched: boolean): string[] {
  const written: string[] = [];
  const progress = openProgress({ isWatched, writeError: (text) => void written.push(text) });
  progress.show(0.5, "a.jsonl");
  progress.show(2, `${"x".repeat(100)}.jsonl`);
  progress.end();
  return written;
}

describe("openProgress", () => {
  it("writes one line over and over where somebody watches", () => {
    const [half, whole, end] = shown(true);
    expect(half).toBe(`\r\u001b[K\u001b[?7l${"█".repeat(12)}${"░".repeat(12)}  50 % a.jsonl\u001b[?7h`);
    expect(whole).toContain("█".repeat(24));
    expect(whole).toContain(`…${"x".repeat(41)}.jsonl`);
    expect(end).toBe("\r\u001b[K");
  });

  it("writes nothing where nobody does", () => {
    expect(shown(false)).toEqual([]);
  });
});
