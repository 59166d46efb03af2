import { run } from "@longhaul/cli";
import { describe, expect, it } from "vitest";
import { CLIENTS } from "../packages/cli/src/connect/clients.ts";
import { makeTerminal } from "../packages/cli/src/testing/terminal.ts";
import { clientLines } from "../scripts/schema-pages.ts";
import { readText } from "./repository.ts";

const page = readText("docs/clients/README.md");
const sectionOf = (name: string) => page.split(/^## /m).find((section) => section.startsWith(`${name}\n`)) ?? "";

/** Clients that are configured in their own windows. */
const WITHOUT_LINES = new Set(["zoo-code", "cursor"]);

describe("docs/clients", () => {
  it("has a section for every client, in order", () => {
    const names = [...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    expect(names).toEqual(CLIENTS.map(({ name }) => name));
  });

  it.each(CLIENTS.map(({ id, name }) => [id, name]))("shows for %s what `connect` prints", async (id, name) => {
    const terminal = makeTerminal("~");
    expect(await run(["connect", id], terminal)).toBe(0);
    const blocks = [...sectionOf(name).matchAll(/^```\w*\n(.*?)\n```$/gms)].map(([, block = ""]) => block);
    const ours = blocks.filter((block) => !block.startsWith("longhaul connect"));
    expect(ours.length > 0).toBe(!WITHOUT_LINES.has(id));
    expect(ours.filter((block) => !terminal.output().includes(block))).toEqual([]);
  });
});

it("the dashboard has the clients of `connect` (written by `npm run schema`)", () => {
  expect(readText("packages/dashboard/src/pages/traffic/clients.json")).toBe(clientLines());
});
