import { expect, it } from "vitest";
import { makeWorld } from "../core/world.ts";
import { makeCall } from "../testing/make.ts";
import { listModels, requireModel, retrieveModel } from "./models.ts";

const world = makeWorld({});

it("finds models by their exact id", () => {
  expect(requireModel("claude-opus-4-6", world).id).toBe("claude-opus-4-6");
  expect(() => requireModel("claude-nope", world)).toThrow(
    expect.objectContaining({ status: 404, message: "model: claude-nope" }),
  );
});

it("lists models page by page", () => {
  const page = (query: string) => {
    const reply = listModels(makeCall({ query: new URLSearchParams(query) }), world);
    return reply.kind === "json"
      ? (reply.body as { data: { id: string }[]; has_more: boolean; last_id: string })
      : undefined;
  };
  const all = page("limit=1000");
  expect(all?.has_more).toBe(false);
  expect(all?.data.map(({ id }) => id)).toContain("claude-fable-5-1");
  const first = page("limit=3");
  expect([first?.data.length, first?.has_more]).toEqual([3, true]);
  expect(page(`limit=3&after_id=${first?.last_id}`)?.data[0]?.id).toBe(all?.data[3]?.id);
});

it("describes what a model can do", () => {
  const reply = retrieveModel(makeCall({ params: ["claude-opus-4-6"] }), world);
  expect(reply).toMatchObject({
    status: 200,
    body: {
      id: "claude-opus-4-6",
      display_name: "Claude Opus 4.6",
      line: "opus",
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
      capabilities: {
        compaction: { supported: true },
        context_management: { compact_20260112: { supported: true } },
        effort: { supported: true, xhigh: { supported: false }, max: { supported: true } },
        thinking: {
          types: { adaptive: { supported: true }, enabled: { supported: true }, disabled: { supported: true } },
        },
      },
    },
  });
});
