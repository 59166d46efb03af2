import { makeTool } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { finish } from "../codec/stepper.ts";
import { encodeTool, toolSteps } from "./tools.ts";

const decodeTools = (tools: Parameters<typeof toolSteps>[0]) => finish(toolSteps(tools));

const FOREIGN = { vendor: "anthropic", extras: false };

describe("decodeTools", () => {
  it("decodes tools with a schema and tools that Anthropic defines", () => {
    const tools = [
      {
        name: "a",
        description: "d",
        input_schema: { type: "object" },
        strict: true,
        cache_control: { type: "ephemeral" },
      },
      { type: "bash_20250124", name: "bash" },
      { type: "mcp_toolset", mcp_server_name: "notes" },
    ];
    expect(decodeTools(tools).map(({ native: _, ...tool }) => tool)).toEqual([
      {
        name: "a",
        kind: "function",
        description: "d",
        inputSchema: { type: "object" },
        cache: {},
        extra: { strict: true },
      },
      { name: "bash", kind: "server" },
      { name: "mcp_toolset", kind: "server" },
    ]);
    expect(decodeTools(undefined)).toEqual([]);
    expect(() => decodeTools([{ description: "nameless" }])).toThrow("tools[0].name: expected a string");
  });
});

describe("encodeTool", () => {
  it("writes an unchanged tool as received", () => {
    const value = { type: "web_search_20250305", name: "web_search" };
    expect(decodeTools([value]).map((tool) => encodeTool(tool, FOREIGN))).toEqual([value]);
  });

  it("gives every schema the required type", () => {
    expect(encodeTool({ name: "now", kind: "function" }, FOREIGN)).toEqual({
      name: "now",
      input_schema: { type: "object", properties: {} },
    });
    expect(encodeTool({ ...makeTool(), inputSchema: { anyOf: [] } }, FOREIGN)).toMatchObject({
      input_schema: { type: "object", anyOf: [] },
    });
    expect(encodeTool({ ...makeTool(), extra: { strict: true } }, { vendor: "anthropic", extras: true })).toMatchObject(
      { strict: true },
    );
  });
});
