import type { Block, Request, Tool } from "@longhaul/conversation/advanced";
import type { Restore } from "../codec/codec.ts";
import type { AdaptContext } from "../codec/rules.ts";
import { withoutNative } from "../fields/json.ts";
import { FREE_TEXT_SCHEMA } from "../reply/restore.ts";
import { mapBlocks } from "./blocks.ts";
import { legalName } from "./pairs.ts";

/**
 * Drops other vendors' server tools, gives free-text tools a named argument if the format requires one, and replaces illegal names. Also
 * returns how to undo the changes in the reply.
 */
export function adaptTools(request: Request, context: AdaptContext): { request: Request; restore: Restore } {
  const { conversation } = request;
  const kept = conversation.tools.filter((tool) => !isForeign(tool, context));
  const freeTextTools = new Set(
    context.rules.freeTextTools ? [] : kept.filter(({ kind }) => kind === "custom").map(({ name }) => name),
  );
  const wireNames = namesToChange(request, context);
  const tools = kept.map((tool) => adaptTool(tool, freeTextTools, wireNames));
  const messages = mapBlocks(conversation.messages, (block) => renameBlock(block, wireNames));
  const toolNames = new Map([...wireNames].map(([name, wireName]) => [wireName, name]));
  const adapted = { ...request, conversation: { ...conversation, tools, messages } };
  return { request: adaptToolChoice(adapted, context, wireNames), restore: { toolNames, freeTextTools } };
}

function isForeign(tool: Tool, { rules, warn }: AdaptContext): boolean {
  if (tool.kind !== "server" || tool.native?.wire === rules.wire) return false;
  warn("tool.server", "dropped", `the tool "${tool.name}" runs on another vendor's servers`);
  return true;
}

function adaptTool(tool: Tool, freeTextTools: ReadonlySet<string>, names: ReadonlyMap<string, string>): Tool {
  const name = names.get(tool.name) ?? tool.name;
  if (freeTextTools.has(tool.name)) {
    const { native: _, extra: _extra, ...rest } = tool;
    return { ...rest, name, kind: "function", inputSchema: FREE_TEXT_SCHEMA };
  }
  if (name === tool.name) return tool;
  return { ...withoutNative(tool), name };
}

/** Returns the replacement for each tool name that the format rejects. */
function namesToChange(request: Request, { rules, isNative, warn }: AdaptContext): ReadonlyMap<string, string> {
  const { tools, messages } = request.conversation;
  const called = messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool-call" ? [block.name] : [])),
  );
  const own = tools.filter(({ kind }) => kind !== "server").map(({ name }) => name);
  const changed = new Map<string, string>();
  for (const name of new Set([...own, ...called])) {
    const wireName = legalName(name, rules.toolNames);
    const isOwn = isNative && rules.toolNames.own?.test(name) === true;
    if (wireName === name || isOwn) continue;
    changed.set(name, wireName);
    warn("tool.name", "changed", `"${name}" was sent as "${wireName}"`);
  }
  return changed;
}

function renameBlock(block: Block, names: ReadonlyMap<string, string>): Block {
  if (block.type !== "tool-call" && block.type !== "tool-result") return block;
  const name = names.get(block.name ?? "");
  if (name === undefined) return block;
  return { ...withoutNative(block), name };
}

/** Drops the tool choice if there are no tools, and relaxes it if the model or the tools sent do not allow it. */
function adaptToolChoice(request: Request, context: AdaptContext, names: ReadonlyMap<string, string>): Request {
  const { toolChoice, parallelToolCalls: _, ...rest } = request;
  const { tools } = request.conversation;
  if (tools.length === 0) return context.isNative ? request : rest;
  if (toolChoice === undefined || toolChoice.kind === "auto" || toolChoice.kind === "none") return request;
  if (context.destination.forcedToolChoice === false) {
    const message = `the model does not support forced tool calls; "${toolChoice.kind}" was sent as "auto"`;
    context.warn("toolChoice", "changed", message);
    return { ...request, toolChoice: { kind: "auto" } };
  }
  if (toolChoice.kind !== "tool") return request;
  const name = names.get(toolChoice.name) ?? toolChoice.name;
  if (tools.some((tool) => tool.name === name)) return { ...request, toolChoice: { kind: "tool", name } };
  const message = `the required tool "${toolChoice.name}" is not among the tools sent; "auto" was sent instead`;
  context.warn("toolChoice", "changed", message);
  return { ...request, toolChoice: { kind: "auto" } };
}
