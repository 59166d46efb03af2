import type { Outgoing } from "@longhaul/upstream";
import { describe, expect, it } from "vitest";
import { withBetas } from "./outgoing-betas.ts";

function makeOutgoing(text: string, beta?: string): Outgoing {
  const headers = { "x-api-key": "k", ...(beta !== undefined && { "anthropic-beta": beta }) };
  const line = { wire: "anthropic-messages", action: "generate", method: "POST", model: "m", stream: false } as const;
  return { ...line, body: Buffer.from(text), headers };
}

const textOf = ({ body }: Outgoing) => Buffer.from(body ?? []).toString();
const edits = [{ type: "compact_20260112" }];
const NOTHING = { add: [], remove: [] };

describe("withBetas", () => {
  it("returns the identical request where nothing changes", () => {
    const outgoing = makeOutgoing('{"messages":[], "speed":"fast"}', "a, b");
    expect(withBetas(outgoing, NOTHING)).toBe(outgoing);
    expect(withBetas(outgoing, { add: ["a"], remove: ["context-1m-2025-08-07"] })).toBe(outgoing);
    const { body: _, ...bodiless } = outgoing;
    expect(withBetas(bodiless, { ...NOTHING, edits })).toBe(bodiless);
  });

  it("changes the header alone where the body has no part in it", () => {
    const outgoing = makeOutgoing('{"messages":[]}', "a,context-1m-2025-08-07");
    const changed = withBetas(outgoing, { add: ["b"], remove: ["context-1m-2025-08-07"] });
    expect(changed).toEqual({ ...outgoing, headers: { "x-api-key": "k", "anthropic-beta": "a,b" } });
    expect(changed.body).toBe(outgoing.body);
    expect(withBetas(makeOutgoing("{}", "a"), { add: [], remove: ["a"] }).headers).toEqual({ "x-api-key": "k" });
  });

  it("writes edits in front, and leaves every other byte", () => {
    const changed = withBetas(makeOutgoing('{ "model":"m", "messages":[ ] }'), { ...NOTHING, edits });
    expect(textOf(changed)).toBe(
      '{"context_management":{"edits":[{"type":"compact_20260112"}]}, "model":"m", "messages":[ ] }',
    );
  });

  it("writes edits in place of the client's, and keeps what else stands there", () => {
    const given = '{"messages":[], "context_management": {"edits":[],"later":1} ,"z":1}';
    expect(textOf(withBetas(makeOutgoing(given), { ...NOTHING, edits }))).toBe(
      '{"messages":[], "context_management": {"edits":[{"type":"compact_20260112"}],"later":1} ,"z":1}',
    );
    expect(textOf(withBetas(makeOutgoing('{"messages":[],"context_management":null}'), { ...NOTHING, edits }))).toBe(
      '{"messages":[],"context_management":{"edits":[{"type":"compact_20260112"}]}}',
    );
  });

  it("reads a body whole where its bytes cannot be told apart", () => {
    const twice = '{"messages":[],"context_management":{"edits":[1]},"context_management":{"edits":[2]}}';
    expect(JSON.parse(textOf(withBetas(makeOutgoing(twice), { ...NOTHING, edits })))).toEqual({
      messages: [],
      context_management: { edits },
    });
  });

  it("takes a beta out with its fields", () => {
    const given = '{"messages":[],"speed":"fast","context_management":{"edits":[{"type":"clear_thinking_20251015"}]}}';
    const remove = ["fast-mode-2026-02-01", "context-management-2025-06-27"];
    const changed = withBetas(makeOutgoing(given, `x,${remove.join(",")}`), { add: [], remove });
    expect([textOf(changed), changed.headers["anthropic-beta"]]).toEqual(['{"messages":[]}', "x"]);
  });
});
