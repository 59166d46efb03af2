import {
  makeAssistant,
  makeConversation,
  makeTool,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeContext, makeRequestOf } from "../testing/make-context.ts";
import { adaptTools } from "./tools.ts";

const LONG = `mcp__${"x".repeat(140)}`;

describe("adaptTools", () => {
  it("drops other vendors' server tools, and a choice that requires one", () => {
    const search = { name: "web_search", kind: "server" as const, native: { wire: "openai-responses", value: {} } };
    const request = makeRequestOf(makeConversation([makeUser()], { tools: [search, makeTool()] }), {
      toolChoice: { kind: "tool", name: "web_search" },
    });
    const context = makeContext();
    const { request: adapted } = adaptTools(request, context);
    expect(adapted.conversation.tools).toEqual([makeTool()]);
    expect(adapted.toolChoice).toEqual({ kind: "auto" });
    expect(context.warnings().map(({ feature }) => feature)).toEqual(["tool.server", "toolChoice"]);
  });

  it("keeps the format's own kind of names for its own clients only", () => {
    const request = makeRequestOf(makeConversation([makeUser()], { tools: [makeTool("notes/find"), makeTool("a.b")] }));
    const namesFor = (isNative: boolean) => {
      const { rules, ...context } = makeContext();
      const own = { ...rules, toolNames: { ...rules.toolNames, own: /^\w+\// } };
      const { request: adapted } = adaptTools(request, { ...context, rules: own, isNative });
      return adapted.conversation.tools.map(({ name }) => name.replace(/_\w{8}$/, ""));
    };
    expect([namesFor(true), namesFor(false)]).toEqual([
      ["notes/find", "a_b"],
      ["notes_find", "a_b"],
    ]);
  });

  it("replaces illegal names everywhere and returns how to undo it", () => {
    const conversation = makeConversation(
      [makeAssistant(makeToolCall("a", { name: LONG })), makeUser(makeToolResult("a", "ok", { name: LONG }))],
      { tools: [makeTool(LONG)] },
    );
    const { request, restore } = adaptTools(
      makeRequestOf(conversation, { toolChoice: { kind: "tool", name: LONG } }),
      makeContext(),
    );
    const [name = ""] = restore.toolNames.keys();
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
    expect(restore.toolNames.get(name)).toBe(LONG);
    expect(request.toolChoice).toEqual({ kind: "tool", name });
    expect(request.conversation.tools[0]?.name).toBe(name);
    expect(request.conversation.messages.flatMap(({ blocks }) => blocks)).toMatchObject([{ name }, { name }]);
  });

  it("gives free-text tools a named argument if the format has no free text", () => {
    const patch = {
      name: "patch",
      kind: "custom" as const,
      description: "Patches.",
      extra: { format: { type: "text" } },
    };
    const request = makeRequestOf(makeConversation([makeUser()], { tools: [patch] }));
    const { request: adapted, restore } = adaptTools(request, makeContext());
    expect(adapted.conversation.tools).toEqual([
      {
        name: "patch",
        kind: "function",
        description: "Patches.",
        inputSchema: expect.objectContaining({ required: ["input"] }),
      },
    ]);
    expect(restore.freeTextTools).toEqual(new Set(["patch"]));
    const free = adaptTools(request, makeContext({ rules: { freeTextTools: true } }));
    expect(free.request.conversation.tools).toEqual([patch]);
    expect(free.restore.freeTextTools.size).toBe(0);
  });

  it("relaxes a forced choice that the model does not support", () => {
    const request = makeRequestOf(makeConversation([makeUser()], { tools: [makeTool()] }), {
      toolChoice: { kind: "required" },
    });
    const context = makeContext({ destination: { forcedToolChoice: false } });
    expect(adaptTools(request, context).request.toolChoice).toEqual({ kind: "auto" });
    expect(context.warnings()).toMatchObject([{ feature: "toolChoice", action: "changed" }]);
    expect(adaptTools(request, makeContext()).request.toolChoice).toEqual({ kind: "required" });
  });

  it("drops the choice if there are no tools", () => {
    const request = makeRequestOf(undefined, { toolChoice: { kind: "auto" }, parallelToolCalls: false });
    const { request: adapted } = adaptTools(request, makeContext());
    expect(adapted).not.toHaveProperty("toolChoice");
    expect(adapted).not.toHaveProperty("parallelToolCalls");
  });
});
