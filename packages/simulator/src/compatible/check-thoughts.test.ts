import { findModel } from "@longhaul/models/catalog";
import { expect, it } from "vitest";
import { makeWorld } from "../core/make-world.ts";
import { checkThoughts, isThinking } from "./check-thoughts.ts";

const { catalog } = makeWorld({});
const deepseek = findModel(catalog, "deepseek-v4-pro").model;
const kimi = findModel(catalog, "kimi-k2.6").model;
const call = { role: "assistant", tool_calls: [{ id: "a" }] };

it("thinks unless it is told not to", () => {
  const bodies = [{}, { reasoning_effort: "high" }, { reasoning_effort: "none" }, { thinking: { type: "disabled" } }];
  expect(bodies.map((body) => isThinking(body, kimi))).toEqual([true, true, false, false]);
});

it("refuses calls that came back without their reasoning, in the vendor's words", () => {
  const messages = [{ role: "user" }, { ...call, reasoning_content: "" }, call];
  expect(() => checkThoughts({ messages }, deepseek)).toThrow(
    "Missing `reasoning_content` field in the assistant message at message index 2.",
  );
  expect(() => checkThoughts({ messages }, kimi)).toThrow(
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
  );
  expect(() => checkThoughts({ messages, reasoning_effort: "none" }, kimi)).not.toThrow();
});
