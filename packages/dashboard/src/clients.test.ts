import { expect, it } from "vitest";
import { clientLines } from "./clients.ts";

it("points every client at the gateway", () => {
  const all = clientLines("http://127.0.0.1:4141");
  expect(all.map(({ name }) => name)).toContain("Claude Code");
  for (const { lines } of all) expect(lines).toContain("http://127.0.0.1:4141");
});
