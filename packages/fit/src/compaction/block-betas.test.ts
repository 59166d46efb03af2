import type { Block } from "@longhaul/conversation";
import { makeAssistant, makeCompaction, makeUser } from "@longhaul/conversation/testing";
import { findModel, loadCatalog } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import { expect, it } from "vitest";
import { blockBetas } from "./block-betas.ts";

const catalog = loadCatalog({});
const claude = findModel(catalog, "claude-opus-4-6", "anthropic").model;
const signed: Block = { ...makeCompaction(), extra: { signature: "s", tool_changes: [] } };

it.each([
  ["no blocks", [makeUser(), makeAssistant()], []],
  ["a block of the threshold", [makeAssistant(makeCompaction()), makeUser()], ["compact-2026-01-12"]],
  ["a signed block", [makeAssistant([signed, "yes"]), makeUser()], ["compact-2026-09-04"]],
])("knows what %s need", (_, messages, expected) => {
  expect(blockBetas(messages, claude)).toEqual(expected);
});

it("knows a signed block as the API gives it", () => {
  const content = [{ type: "compaction", content: "x", encrypted_content: null, signature: "s", tool_changes: [] }];
  const { blocks } = codecOf("anthropic-messages").decodeReply({ id: "m", content, model: "c" });
  expect(blockBetas([{ role: "assistant", blocks }], claude)).toEqual(["compact-2026-09-04"]);
});

it("asks for nothing where the vendor has no betas", () => {
  const { model } = findModel(catalog, "gpt-5.2", "openai");
  expect(blockBetas([makeAssistant(makeCompaction())], model)).toEqual([]);
});
