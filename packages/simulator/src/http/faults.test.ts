import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FAULT_NAMES, openFaultPlan, parseFaults } from "./faults.ts";

it("parses names and values", () => {
  expect(parseFaults("status=429, retry-after=2,crlf").map(({ name, value }) => [name, value])).toEqual([
    ["status", "429"],
    ["retry-after", "2"],
    ["crlf", ""],
  ]);
  expect(parseFaults("")).toEqual([]);
});

it("rejects unknown names", () => {
  expect(() => parseFaults("flood")).toThrow(`unknown fault "flood"; the simulator knows ${FAULT_NAMES.join(", ")}`);
});

it("rejects the request with the given status", () => {
  const [fault] = parseFaults("status=529");
  expect(fault?.kind.refuse?.("529")).toMatchObject({ status: 529, message: "Overloaded" });
  expect(fault?.kind.refuse?.("")).toMatchObject({ status: 500 });
});

it("applies each fault as often and where requested", () => {
  const plan = openFaultPlan([
    { fault: "crlf", times: 2 },
    { fault: "bom", path: "/chat/" },
  ]);
  const take = (path: string) => plan.take(path).map(({ name }) => name);
  expect([take("/a"), take("/a"), take("/a"), take("/v1/chat/completions"), take("/v1/chat/completions")]).toEqual([
    ["crlf"],
    ["crlf"],
    [],
    ["bom"],
    [],
  ]);
  plan.add({ fault: "gzip" });
  plan.clear();
  expect(take("/a")).toEqual([]);
});

it("documents every fault", () => {
  const page = readFileSync(new URL("../../../../docs/simulator.md", import.meta.url), "utf8");
  const rows = page
    .slice(page.indexOf("## Faults"))
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const written = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([a-z0-9-]+)[^`]*`/g)].map((match) => match[1]),
  );
  expect(written.sort()).toEqual([...FAULT_NAMES].sort());
});
