import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@longhaul/gateway";
import { makeTokenCounters } from "@longhaul/models";
import { describe, expect, it, onTestFinished } from "vitest";
import { filler, openRig, type Rig, type RigOptions, talk } from "./rig.ts";

async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig(options);
  onTestFinished(rig.close);
  return rig;
}

const LAST = { role: "user", content: "And what did I ask first?" };
const long = [...talk(30), LAST];

interface SentBody {
  readonly system?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

function sentBody(rig: Rig): SentBody {
  return rig.turns().at(-1)?.body as SentBody;
}

describe("requirement 1: requests fit", () => {
  it("1.1 a request over the window is compressed and answered", async () => {
    const rig = await rigOf();
    const answer = await rig.say(long);
    expect(answer.status).toBe(200);
    expect(rig.simulator.totals()).toMatchObject({ requests: 1, rejected: 0 });
    expect(sentBody(rig).messages.length).toBeLessThan(long.length);
  });

  it("1.2 the system message is kept as it is", async () => {
    const rig = await rigOf();
    const system = `You are a careful assistant. ${filler(5, 40)}`;
    await rig.say(long, { system });
    expect(sentBody(rig).system).toBe(system);
  });

  it("1.3 the most recent user message is kept as it is", async () => {
    const rig = await rigOf();
    await rig.say(long);
    expect(sentBody(rig).messages.at(-1)).toEqual(LAST);
  });

  it("1.4 every tool call and every result stays, in pairs", async () => {
    const rig = await rigOf({ context: { strategy: "middle-out" } });
    const tools = [{ name: "look", description: "Looks.", input_schema: { type: "object" } }];
    const call = (id: string) => ({
      role: "assistant",
      content: [{ type: "tool_use", id, name: "look", input: { at: id } }],
    });
    const result = (id: string) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: `seen ${id}` }],
    });
    const messages = [
      ...talk(15),
      { role: "user", content: "Look." },
      call("a"),
      result("a"),
      call("b"),
      result("b"),
      { role: "assistant", content: "Done." },
      ...talk(15),
      LAST,
    ];
    const answer = await rig.say(messages, { tools });
    expect(answer.status).toBe(200);
    const text = JSON.stringify(sentBody(rig).messages);
    for (const id of ["a", "b"]) {
      expect(text).toContain(JSON.stringify(call(id).content[0]));
      // A mark about dropped messages may follow in the same result.
      expect(text).toMatch(new RegExp(`"tool_use_id":"${id}"[^}]*"seen ${id}"`));
    }
  });

  it("1.5 and 4.4 the counts before and after are logged at INFO", async () => {
    const rig = await rigOf();
    const { headers } = await rig.say(long);
    const line = rig.log().find(({ msg }) => msg === "conversation condensed");
    expect(line).toMatchObject({ level: 30, strategy: "smart", tokensBefore: expect.any(Number) });
    const finished = rig.log().find(({ msg }) => msg === "request finished");
    expect(finished).toMatchObject({
      level: 30,
      condensed: {
        originalTokens: Number(headers.get("x-original-tokens")),
        sentTokens: Number(headers.get("x-compressed-tokens")),
        strategy: "smart",
        origin: "new",
      },
    });
  });
});

describe("requirement 2: strategies", () => {
  it("2.1 middle-out keeps the start and the end", async () => {
    const rig = await rigOf({ context: { strategy: "middle-out" } });
    await rig.say(long);
    const { messages } = sentBody(rig);
    expect(messages[0]).toEqual(long[0]);
    expect(messages.slice(-3)).toEqual(long.slice(-3));
    expect(messages).not.toContainEqual(long[30]);
  });

  it("2.2 sliding-window keeps the recent messages", async () => {
    const rig = await rigOf({ context: { strategy: "sliding-window" } });
    const answer = await rig.say(long);
    expect(answer.headers.get("x-longhaul-strategy")).toBe("sliding-window");
    const { messages } = sentBody(rig);
    expect(messages.slice(-5)).toEqual(long.slice(-5));
    expect(JSON.stringify(messages)).not.toContain("Answer 10:");
  });
});

/** A rig whose configuration is a file, as the command reads it, with this environment. */
const MIDDLE_OUT = { CONTEXT_COMPRESSION_STRATEGY: "middle-out" };

async function rigWith(environment: Readonly<Record<string, string>>): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-seed-"));
  const parse = (value: object) => {
    writeFileSync(join(folder, "longhaul.json"), JSON.stringify(value));
    return loadConfig({ environment: { HOME: folder, ...environment }, folder }).config;
  };
  try {
    return await rigOf({ parse, environment });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("requirement 2: strategies, by the environment", () => {
  it("2.3 the environment chooses the strategy", async () => {
    const rig = await rigWith({ CONTEXT_COMPRESSION_STRATEGY: "sliding-window" });
    expect((await rig.say(long)).headers.get("x-longhaul-strategy")).toBe("sliding-window");
    expect(() => loadConfig({ environment: { CONTEXT_COMPRESSION_STRATEGY: "inside-out" }, folder: tmpdir() })).toThrow(
      /inside-out|strategy/,
    );
  });

  it("2.4 middle-out is one variable away from the default, smart", async () => {
    const rig = await rigWith(MIDDLE_OUT);
    expect((await rig.say(long)).headers.get("x-longhaul-strategy")).toBe("middle-out");
    const bare = loadConfig({ environment: { OPENAI_API_KEY: "k", HOME: "/nowhere" }, folder: "/nowhere" });
    expect(bare.config.context).toMatchObject({ mode: "on", strategy: "smart" });
  });

  it("2.5 the environment sets the share of the start, which is 20 % by default", async () => {
    const opening = async (environment: Readonly<Record<string, string>>) => {
      const rig = await rigWith({ ...MIDDLE_OUT, ...environment });
      expect((await rig.say(long)).headers.get("x-longhaul-strategy")).toBe("middle-out");
      const { messages } = sentBody(rig);
      const kept = messages.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(long[index]));
      return messages.slice(0, kept);
    };
    const [little, usual, twenty, much, most] = [
      await opening({ CONTEXT_PRESERVE_START_PERCENT: "10" }),
      await opening({}),
      await opening({ CONTEXT_PRESERVE_START_PERCENT: "20" }),
      await opening({ CONTEXT_PRESERVE_START_PERCENT: "50" }),
      await opening({ CONTEXT_PRESERVE_START_PERCENT: "90" }),
    ];
    expect(usual).toEqual(twenty);
    expect(little.length).toBeLessThan(usual.length);
    expect(much.length).toBeGreaterThan(usual.length);
    expect(most.length).toBeGreaterThan(much.length);
  });
});

describe("requirement 3: tokens are counted", () => {
  const says = async (options: RigOptions, body: object) => {
    const rig = await rigOf(options);
    const answer = await rig.post("/v1/chat/completions", { max_completion_tokens: 200, ...body });
    return { ...answer, error: answer.status === 200 ? undefined : JSON.parse(answer.text).error.message };
  };

  it("3.1 OpenAI models are counted with their own encoding", async () => {
    // One token of o200k each; characters over four would make 1.5 of it.
    const words = (count: number) => " hello".repeat(count);
    const messages = [
      { role: "user", content: words(500) },
      { role: "assistant", content: words(3_000) },
      { role: "user", content: words(1_000) },
    ];
    const { status, headers } = await says({}, { model: "gpt-4o", messages });
    expect(status).toBe(200);
    // Three tokens frame each message, and the request.
    expect(Number(headers.get("x-original-tokens"))).toBe(4_500 + 4 * 3);
  });

  it("3.2 characters over four replace an encoding that is not available", async () => {
    const counters = makeTokenCounters({ loadEncoding: () => Promise.reject(new Error("not installed")) });
    const counter = await counters.counterFor("o200k");
    expect(counter.countText("x".repeat(4_000))).toBe(1_000);
  });

  it.each([
    [200, 4_000 - 200 - 100],
    [500, 4_000 - 500 - 100],
  ])("3.3 and 3.4 the budget is the window less the answer's %i tokens and a buffer of 100", async (limit, budget) => {
    const messages = [{ role: "user", content: " hello".repeat(5_000) }];
    const { status, error } = await says({}, { model: "gpt-4o", messages, max_completion_tokens: limit });
    expect(status).toBe(400);
    expect(error).toContain(`exceed the budget of ${budget} tokens`);
  });

  it("3.5 windows come from the registry, else from a careful default", async () => {
    const ask = (model: string) =>
      says({ config: { models: {} } }, { model, messages: [{ role: "user", content: " hello".repeat(140_000) }] });
    expect((await ask("gpt-4o")).error).toContain("maximum context length is 128000 tokens");
    expect((await ask("gpt-4")).error).toContain("maximum context length is 8192 tokens");
    expect((await ask("nobody-knows-me")).error).toContain("maximum context length is 32000 tokens");
  });
});

describe("requirement 4: it shows", () => {
  it.each([false, true])("4.1, 4.2, 4.3 headers say so (stream: %s)", async (stream) => {
    const rig = await rigOf();
    const { headers } = await rig.say(long, { stream });
    expect(headers.get("x-context-compressed")).toBe("true");
    expect(Number(headers.get("x-original-tokens"))).toBeGreaterThan(4_000);
    expect(Number(headers.get("x-compressed-tokens"))).toBeLessThan(4_000);
    expect(headers.get("x-longhaul-context")).toBe("new");
    expect(headers.get("x-longhaul-request-id")).toMatch(/^lh_/);
  });

  it("says nothing of requests that were left alone", async () => {
    const rig = await rigOf();
    const { headers } = await rig.say([LAST]);
    expect(
      [...headers.keys()].filter((name) => /compress|original-tokens|longhaul-(strategy|context)/.test(name)),
    ).toEqual([]);
    expect(rig.log().map(({ msg }) => msg)).not.toContain("conversation condensed");
  });

  it("4.5 a request that cannot fit gets a 400 that names the part that is too large", async () => {
    const rig = await rigOf();
    const answer = await rig.say([{ role: "user", content: filler(1, 6_000) }]);
    expect(answer.status).toBe(400);
    const { error } = JSON.parse(answer.text);
    expect(error.type).toBe("invalid_request_error");
    expect(error.message).toMatch(/^prompt is too long: \d+ tokens > \d+ maximum/);
    expect(rig.simulator.totals().requests).toBe(0);
  });
});

describe("requirement 5: it can be switched off", () => {
  it.each(["true", "1", "Yes", "ON"])(
    "5.1 and 5.2 a request with X-Disable-Compression: %s is forwarded unchanged",
    async (value) => {
      const rig = await rigOf();
      const answer = await rig.say(long, {}, { "x-disable-compression": value });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("prompt is too long");
      expect(sentBody(rig).messages).toEqual(long);
      expect(rig.simulator.totals().requests).toBe(1);
    },
  );

  it("5.1 any other value of X-Disable-Compression gets a 400 that lists the valid ones", async () => {
    const rig = await rigOf();
    const answer = await rig.say(long, {}, { "x-disable-compression": "please" });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('the header x-disable-compression is \\"please\\"; use true, yes, on or 1');
    expect(rig.simulator.totals().requests).toBe(0);
    expect((await rig.say(long, {}, { "x-disable-compression": "no" })).headers.get("x-context-compressed")).toBe(
      "true",
    );
  });

  it("5.3 and 5.4 DISABLE_CONTEXT_COMPRESSION does so for all, with a warning at the start", async () => {
    const rig = await rigOf({ environment: { DISABLE_CONTEXT_COMPRESSION: "true" } });
    await rig.say(long);
    expect(sentBody(rig).messages).toEqual(long);
    expect(rig.log()[0]).toMatchObject({ level: 40, msg: expect.stringContaining("DISABLE_CONTEXT_COMPRESSION") });
  });
});
