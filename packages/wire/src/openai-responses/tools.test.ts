import { makeTool } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { finish } from "../codec/stepper.ts";
import { encodeTool, encodeTools, toolSteps } from "./tools.ts";

const decodeTools = (tools: Parameters<typeof toolSteps>[0]) => finish(toolSteps(tools));

const FOREIGN = { vendor: "openai", extras: false };

describe("tools", () => {
  it("are decoded: functions, free-text tools and server tools", () => {
    const tools = [
      { type: "function", name: "f", description: "d", parameters: { type: "object" }, strict: null },
      { type: "custom", name: "c", format: { type: "text" } },
      { type: "web_search" },
      { type: "mcp", server_label: "notes" },
      { type: "namespace", name: "n", tools: [] },
    ];
    expect(decodeTools(tools).map(({ native: _, ...tool }) => tool)).toEqual([
      { name: "f", kind: "function", description: "d", inputSchema: { type: "object" } },
      { name: "c", kind: "custom", extra: { format: { type: "text" } } },
      { name: "web_search", kind: "server" },
      { name: "notes", kind: "server" },
      { name: "n", kind: "server" },
    ]);
    expect(decodeTools(undefined)).toEqual([]);
    expect(() => decodeTools([{ type: "function" }])).toThrow("tools[0].name");
  });

  it("are written as received if unchanged, otherwise encoded, never strict by omission", () => {
    const value = { type: "custom", name: "c", format: { type: "text" } };
    expect(decodeTools([value]).map((tool) => encodeTool(tool, FOREIGN))).toEqual([value]);
    expect(encodeTool({ name: "now", kind: "function" }, FOREIGN)).toEqual({
      type: "function",
      name: "now",
      parameters: { type: "object", properties: {} },
      strict: false,
    });
    expect(encodeTool({ ...makeTool(), extra: { strict: true } }, { vendor: "openai", extras: true })).toMatchObject({
      strict: true,
    });
    expect(encodeTool({ name: "c", kind: "custom", description: "d" }, FOREIGN)).toEqual({
      type: "custom",
      name: "c",
      description: "d",
    });
  });

  it("of a namespace are separate tools, and the first has the namespace's description", () => {
    const tools = [
      { type: "function", name: "js", parameters: { type: "object" } },
      { type: "custom", name: "patch" },
    ];
    const space = { type: "namespace", name: "mcp__repl", description: "A kernel.", tools };
    const decoded = decodeTools([space]);
    expect(decoded).toMatchObject([
      { name: "mcp__repl/js", kind: "function", description: "A kernel.", inputSchema: { type: "object" } },
      { name: "mcp__repl/patch", kind: "custom" },
    ]);
    expect(decoded[1]).not.toHaveProperty("description");
    expect(encodeTools(decoded, [], FOREIGN)).toEqual([space]);
  });

  it("in the input are not written again", () => {
    const patch = { type: "custom", name: "patch" };
    const space = { type: "namespace", name: "n", tools: [{ type: "function", name: "f" }] };
    const tools = decodeTools([patch, space, { type: "web_search" }]);
    const items = [
      { type: "additional_tools", role: "developer", tools: [patch, space] },
      { role: "user", content: "" },
    ];
    expect(encodeTools(tools, items, FOREIGN)).toEqual([{ type: "web_search" }]);
  });
});
