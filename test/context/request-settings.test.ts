import { describe, expect, it, onTestFinished } from "vitest";
import { asMessages, send, WIRES } from "./formats.ts";
import { openRig, type Rig, type RigOptions, turn } from "./rig.ts";

async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig({ ...options, simulator: { script: () => "say Noted.", ...options.simulator } });
  onTestFinished(rig.close);
  return rig;
}

const long = turn(20);
const MODEL = "claude-sonnet-4-5";

describe("headers of a request", () => {
  it("choose the strategy, before profile and route", async () => {
    const routes = [{ match: "*", upstream: "anthropic", context: { strategy: "truncation" } }];
    const rig = await rigOf({ config: { routes } });
    const answer = await rig.say(long, {}, { "x-longhaul-strategy": "sliding-window" });
    expect([answer.status, answer.headers.get("x-longhaul-strategy")]).toEqual([200, "sliding-window"]);
  });

  it("choose mode, threshold and whether the trigger counts", async () => {
    const rig = await rigOf();
    const compressed = async (messages: object[], headers: Record<string, string>) => {
      const answer = await rig.say(messages, {}, headers);
      return [answer.status, answer.headers.get("x-context-compressed")];
    };
    expect(await compressed(long, { "x-longhaul-mode": "off" })).toEqual([400, null]);
    expect(await compressed(turn(6), {})).toEqual([200, null]);
    expect(await compressed(turn(6), { "x-longhaul-threshold": "30" })).toEqual([200, "true"]);
    const patient = { "x-longhaul-threshold": "30", "x-longhaul-auto": "false", "x-longhaul-strategy": "truncation" };
    expect(await compressed(turn(6), patient)).toEqual([200, null]);
  });

  it("do not undo the operator's switch", async () => {
    const rig = await rigOf({ environment: { DISABLE_CONTEXT_COMPRESSION: "true" } });
    expect((await rig.say(long, {}, { "x-longhaul-mode": "on" })).status).toBe(400);
  });

  it("stay with the gateway", async () => {
    const rig = await rigOf();
    await rig.say(turn(1), {}, { "x-longhaul-strategy": "native", "x-longhaul-other": "1", "anthropic-beta": "b" });
    const sent = Object.keys(rig.simulator.requests().at(-1)?.headers ?? {});
    expect(sent).toContain("anthropic-beta");
    expect(sent.filter((name) => name.startsWith("x-longhaul") || name.startsWith("x-disable"))).toEqual([]);
  });

  it.each(WIRES)(
    "with a bad value are a 400 in the words of %s, naming the header and the valid values",
    async (wire) => {
      const rig = await rigOf();
      const headers = { "x-longhaul-threshold": "half" };
      const reply = await send(rig, { wire, model: MODEL, headers, messages: asMessages(turn(1)) });
      expect([reply.status, rig.simulator.totals().requests]).toEqual([400, 0]);
      const { error } = JSON.parse(reply.bytes);
      expect(error.message).toBe(
        'the header x-longhaul-threshold is "half"; use a number from 5 to 100, or -1 for the configured value',
      );
      expect([error.type, error.status]).toContain(wire === "gemini" ? "INVALID_ARGUMENT" : "invalid_request_error");
    },
  );
});

describe("context.auto: false", () => {
  it("condenses what would not fit, and nothing before", async () => {
    const rig = await rigOf({ context: { auto: false, threshold: 30 } });
    expect((await rig.say(turn(6))).headers.get("x-context-compressed")).toBeNull();
    expect((await rig.say(long)).headers.get("x-context-compressed")).toBe("true");
  });
});

describe("settings that are changed while the gateway runs", () => {
  const change = (rig: Rig, path: string, value: string | number | boolean) =>
    rig.gateway.settings.change({ entries: [{ path, value }], by: "anna" });

  it("hold from the next request on, and give way to a request's headers", async () => {
    const rig = await rigOf();
    const strategyOf = async (headers = {}) => (await rig.say(long, {}, headers)).headers.get("x-longhaul-strategy");
    expect(await strategyOf()).toBe("smart");
    await change(rig, "context.strategy", "sliding-window");
    expect(await strategyOf()).toBe("sliding-window");
    expect(await strategyOf({ "x-longhaul-strategy": "truncation" })).toBe("truncation");
  });

  it("do not undo the operator's switch", async () => {
    const rig = await rigOf({ environment: { DISABLE_CONTEXT_COMPRESSION: "1" } });
    await change(rig, "context.mode", "on");
    expect((await rig.say(long)).status).toBe(400);
  });
});
