import { makeTool } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { finish } from "../codec/stepper.ts";
import { encodeTool, toolSteps } from "./tools.ts";

const decodeTools = (tools: Parameters<typeof toolSteps>[0]) => finish(toolSteps(tools));

const FOREIGN = { vendor: "openai", extras: false };

describe("tools", () => {
  it("are decoded: functions, free-text tools and server tools", () => {
    const tools = [
      { type: "function", function: { name: "f", description: "d", parameters: { type: "object" }, strict: true } },
      { type: "custom", custom: { name: "c", format: { type: "text" } } },
      { type: "web_search" },
    ];
    expect(decodeTools(tools).map(({ native: _, ...tool }) => tool)).toEqual([
      { name: "f", kind: "function", description: "d", inputSchema: { type: "object" }, extra: { strict: true } },
      { name: "c", kind: "custom", extra: { format: { type: "text" } } },
      { name: "web_search", kind: "server" },
    ]);
    expect(decodeTools(null)).toEqual([]);
    expect(() => decodeTools([{ type: "function", function: {} }])).toThrow("tools[0].function.name");
  });

  it("are written as received if unchanged, otherwise encoded", () => {
    const value = { type: "custom", custom: { name: "c", format: { type: "text" } } };
    expect(decodeTools([value]).map((tool) => encodeTool(tool, FOREIGN))).toEqual([value]);
    expect(encodeTool(makeTool("f", []), FOREIGN)).toEqual({
      type: "function",
      function: { name: "f", description: "Does what f says.", parameters: { type: "object", properties: {} } },
    });
    const changed = { name: "c", kind: "custom" as const, extra: { format: { type: "text" } } };
    expect(encodeTool(changed, { vendor: "openai", extras: true })).toEqual(value);
  });
});
