import { expect, it } from "vitest";
import { clientLines, clientUrl } from "./first-run.tsx";

it("points every client at the gateway, except Cursor, which needs a public address", () => {
  const all = clientLines("http://127.0.0.1:4141");
  expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(["Claude Code", "Codex CLI", "OpenAI SDK"]));
  const others = all.filter(({ lines }) => !lines.includes("http://127.0.0.1:4141"));
  expect(others.map(({ name }) => name)).toEqual(["Cursor"]);
  expect(all.filter(({ lines }) => lines.includes("{url}"))).toEqual([]);
});

it("returns the address for clients when the dashboard has its own port", () => {
  expect(clientUrl("http://10.0.0.5:4242", 4141)).toBe("http://10.0.0.5:4141");
  expect(clientUrl("https://longhaul.example", undefined)).toBe("https://longhaul.example");
});
