import type { Request, WireId } from "@longhaul/conversation";
import { makeConversation, makeTool, makeUser } from "@longhaul/conversation/testing";
import { afterAll, expect, it } from "vitest";
import { resolve } from "../stages/resolve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { neededBetas } from "./needed-betas.ts";

const snapshot = makeSnapshot({
  upstreams: { claude: { kind: "anthropic" } },
  routes: [{ match: "*", upstream: "claude" }],
});
afterAll(() => snapshot.close());

function betasOf(model: string, mode: "budget" | "adaptive", tools = [makeTool()], wire?: WireId): readonly string[] {
  const conversation = makeConversation([makeUser()], { tools });
  const request: Request = { model, conversation, stream: false, sampling: {} };
  const [destination] = resolve({ model, wire: "anthropic-messages" }, snapshot);
  return neededBetas(request, { mode }, { ...destination!, ...(wire !== undefined && { wire }) });
}

it("lets Claude 4 think between tool calls with a budget", () => {
  expect(betasOf("claude-sonnet-4-5", "budget")).toEqual(["interleaved-thinking-2025-05-14"]);
});

it("needs nothing without tools, without a budget, or where the model never does", () => {
  expect(betasOf("claude-sonnet-4-5", "budget", [])).toEqual([]);
  expect(betasOf("claude-opus-4-6", "adaptive")).toEqual([]);
  expect(betasOf("claude-3-7-sonnet-20250219", "budget")).toEqual([]);
  expect(betasOf("claude-sonnet-4-5", "budget", [makeTool()], "openai-chat")).toEqual([]);
});
