import {
  makeAssistant,
  makeConversation,
  makeTool,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { fitTools } from "./tools.ts";

const LONG = `mcp__${"x".repeat(140)}`;

describe("fitTools", () => {
  it("leaves out tools that run at another vendor, and the demand to call one", () => {
    const search = { name: "web_search", kind: "server" as const, native: { wire: "openai-responses", value: {} } };
    const request = makeRequestOf(makeConversation([makeUser()], { tools: [search, makeTool()] }), {
      toolChoice: { kind: "tool", name: "web_search" },
    });
    const fitting = makeFitting();
    const { request: fitted } = fitTools(request, fitting);
    expect(fitted.conversation.tools).toEqual([makeTool()]);
    expect(fitted.toolChoice).toEqual({ kind: "auto" });
    expect(fitting.warnings().map(({ feature }) => feature)).toEqual(["tool.server", "toolChoice"]);
  });

  it("leaves names alone that the format spells in its own way, for its own clients only", () => {
    const request = makeRequestOf(makeConversation([makeUser()], { tools: [makeTool("notes/find"), makeTool("a.b")] }));
    const namesFor = (isNative: boolean) => {
      const { rules, ...fitting } = makeFitting();
      const own = { ...rules, toolNames: { ...rules.toolNames, own: /^\w+\// } };
      const { request: fitted } = fitTools(request, { ...fitting, rules: own, isNative });
      return fitted.conversation.tools.map(({ name }) => name.replace(/_\w{8}$/, ""));
    };
    expect([namesFor(true), namesFor(false)]).toEqual([
      ["notes/find", "a_b"],
      ["notes_find", "a_b"],
    ]);
  });

  it("gives names that the format takes, everywhere alike, and says how to undo it", () => {
    const conversation = makeConversation(
      [makeAssistant(makeToolCall("a", { name: LONG })), makeUser(makeToolResult("a", "ok", { name: LONG }))],
      { tools: [makeTool(LONG)] },
    );
    const { request, restore } = fitTools(
      makeRequestOf(conversation, { toolChoice: { kind: "tool", name: LONG } }),
      makeFitting(),
    );
    const [name = ""] = restore.toolNames.keys();
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
    expect(restore.toolNames.get(name)).toBe(LONG);
    expect(request.toolChoice).toEqual({ kind: "tool", name });
    expect(request.conversation.tools[0]?.name).toBe(name);
    expect(request.conversation.messages.flatMap(({ blocks }) => blocks)).toMatchObject([{ name }, { name }]);
  });

  it("gives free text a name where the format has no free text", () => {
    const patch = {
      name: "patch",
      kind: "custom" as const,
      description: "Patches.",
      extra: { format: { type: "text" } },
    };
    const request = makeRequestOf(makeConversation([makeUser()], { tools: [patch] }));
    const { request: fitted, restore } = fitTools(request, makeFitting());
    expect(fitted.conversation.tools).toEqual([
      {
        name: "patch",
        kind: "function",
        description: "Patches.",
        inputSchema: expect.objectContaining({ required: ["input"] }),
      },
    ]);
    expect(restore.freeTextTools).toEqual(new Set(["patch"]));
    const free = fitTools(request, makeFitting({ rules: { freeTextTools: true } }));
    expect(free.request.conversation.tools).toEqual([patch]);
    expect(free.restore.freeTextTools.size).toBe(0);
  });

  it("lets a model choose that can't be made to call", () => {
    const request = makeRequestOf(makeConversation([makeUser()], { tools: [makeTool()] }), {
      toolChoice: { kind: "required" },
    });
    const fitting = makeFitting({ target: { forcedToolChoice: false } });
    expect(fitTools(request, fitting).request.toolChoice).toEqual({ kind: "auto" });
    expect(fitting.warnings()).toMatchObject([{ feature: "toolChoice", action: "changed" }]);
    expect(fitTools(request, makeFitting()).request.toolChoice).toEqual({ kind: "required" });
  });

  it("drops the choice where there is nothing to choose", () => {
    const request = makeRequestOf(undefined, { toolChoice: { kind: "auto" }, parallelToolCalls: false });
    const { request: fitted } = fitTools(request, makeFitting());
    expect(fitted).not.toHaveProperty("toolChoice");
    expect(fitted).not.toHaveProperty("parallelToolCalls");
  });
});
