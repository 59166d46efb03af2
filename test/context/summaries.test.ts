import { describe, expect, it, onTestFinished } from "vitest";
import { filler, openRig, type Rig, type RigOptions, SUMMARY_SIGN, turn } from "./rig.ts";

const SUMMARY = "They spoke of harbours and lanterns.";
const CONDENSED = "conversation condensed";

/** Something that waits until it is let go. */
function makeGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, wait: () => opened };
}

/** A gateway that condenses from half of the window on. The model answers asks as the directive says, and notes everything else. */
async function rigOf({ context, simulator, ...options }: RigOptions & { answer?: string } = {}): Promise<Rig> {
  const { answer = `say ${SUMMARY}` } = options;
  const rig = await openRig({
    ...options,
    context: { strategy: "native", threshold: 50, ...context },
    simulator: {
      script: ({ turns }) => (turns.at(-1)?.texts.join("\n").includes(SUMMARY_SIGN) ? answer : "say Noted."),
      ...simulator,
    },
  });
  onTestFinished(rig.close);
  return rig;
}

/** A turn of a session: each has one exchange more. Nine are over half of the window, fourteen do not fit into it. */
const FITTING = 9;
const TOO_LONG = 14;

const bodies = (rig: Rig) => rig.turns().map(({ body }) => (body as { messages: unknown[] }).messages);
const sentLast = (rig: Rig) => JSON.stringify(bodies(rig).at(-1));

/** A summariser of its own upstream and model, whose calls can be told apart by their path. */
const CHEAP = { profiles: { cheap: { upstream: "openai", model: "gpt-4o-mini" } } };
const CHEAP_PATH = "/v1/responses";

describe.each(["native", "sandwich", "tree-summary"])("a summary of %s", (strategy) => {
  it("is made beside a request that fits, which goes out as it is, and used from the next one on", async () => {
    const gate = makeGate();
    const rig = await rigOf({
      context: { strategy, summarizer: "cheap" },
      config: CHEAP,
      simulator: { wait: gate.wait, faults: [{ fault: "slow-first-byte=1", path: CHEAP_PATH, times: 9 }] },
    });
    const first = await rig.say(turn(FITTING));
    expect([first.status, first.headers.get("x-context-compressed")]).toEqual([200, null]);
    expect(bodies(rig)).toEqual([turn(FITTING)]);
    expect(rig.log().map(({ msg }) => msg)).not.toContain(CONDENSED);
    gate.open();
    await rig.logged(CONDENSED);
    const second = await rig.say(turn(FITTING + 1));
    expect([
      second.status,
      second.headers.get("x-longhaul-context"),
      second.headers.get("x-longhaul-strategy"),
    ]).toEqual([200, "reused", strategy]);
    expect(sentLast(rig)).toContain(SUMMARY);
    expect(rig.simulator.totals().rejected).toBe(0);
  });

  it("is waited for by a request that does not fit", async () => {
    const rig = await rigOf({ context: { strategy } });
    const answer = await rig.say(turn(TOO_LONG));
    expect([
      answer.status,
      answer.headers.get("x-longhaul-context"),
      answer.headers.get("x-longhaul-strategy"),
    ]).toEqual([200, "new", strategy]);
    expect(sentLast(rig)).toContain(SUMMARY);
    expect(bodies(rig)).toHaveLength(1);
  });
});

describe("a summary that takes too long", () => {
  const slow = async (waitSeconds: number) => {
    const gate = makeGate();
    const rig = await rigOf({
      context: { summarizer: "cheap", waitSeconds },
      config: CHEAP,
      simulator: { wait: gate.wait, faults: [{ fault: "slow-first-byte=1", path: CHEAP_PATH, times: 9 }] },
    });
    return { rig, gate };
  };

  it("is not waited for longer than said: the request is fitted without, and the summary used later", async () => {
    const { rig, gate } = await slow(0.05);
    const first = await rig.say(turn(TOO_LONG));
    expect([first.status, first.headers.get("x-longhaul-strategy")]).toEqual([200, "middle-out"]);
    expect(sentLast(rig)).not.toContain(SUMMARY);
    const second = await rig.say(turn(TOO_LONG + 1));
    expect([second.status, second.headers.get("x-longhaul-strategy")]).toEqual([200, "middle-out"]);
    gate.open();
    await rig.logged(CONDENSED);
    const third = await rig.say(turn(TOO_LONG + 2));
    expect([third.status, third.headers.get("x-longhaul-strategy"), third.headers.get("x-longhaul-context")]).toEqual([
      200,
      "native",
      "reused",
    ]);
    expect(sentLast(rig)).toContain(SUMMARY);
    expect(rig.asks()).toHaveLength(1);
  });

  it("is not given up when its client leaves", async () => {
    const { rig, gate } = await slow(60);
    const leaving = new AbortController();
    const left = fetch(`${rig.gateway.url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 200, messages: turn(TOO_LONG) }),
      headers: { "content-type": "application/json", "x-api-key": "client", "anthropic-version": "2023-06-01" },
      signal: leaving.signal,
    });
    await asked(rig);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await rig.logged("request finished");
    gate.open();
    await rig.logged(CONDENSED);
    const answer = await rig.say(turn(TOO_LONG + 1));
    expect([
      answer.status,
      answer.headers.get("x-longhaul-strategy"),
      answer.headers.get("x-longhaul-context"),
    ]).toEqual([200, "native", "reused"]);
    expect(rig.asks()).toHaveLength(1);
  });
});

/** Resolves once somebody was asked for a summary. */
async function asked(rig: Rig): Promise<void> {
  while (rig.asks().length === 0) await new Promise((resolve) => setImmediate(resolve));
}

describe("who writes it", () => {
  it("one for all requests of a conversation that come at once", async () => {
    const rig = await rigOf();
    const answers = await Promise.all(Array.from({ length: 5 }, () => rig.say(turn(TOO_LONG))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(rig.asks()).toHaveLength(1);
    expect(new Set(bodies(rig).map((messages) => JSON.stringify(messages))).size).toBe(1);
  });

  const written = (rig: Rig) => rig.log().filter(({ msg }) => msg === "summary written");

  it("the profile that is named", async () => {
    const rig = await rigOf({ context: { summarizer: "cheap" }, config: CHEAP });
    expect((await rig.say(turn(TOO_LONG))).status).toBe(200);
    expect(rig.asks().map(({ model, path }) => [model, path])).toEqual([["gpt-4o-mini", CHEAP_PATH]]);
    expect(written(rig)).toMatchObject([
      {
        level: 30,
        writer: { kind: "model", upstream: "openai", model: "gpt-4o-mini", form: "text", profile: "cheap" },
      },
    ]);
  });

  it("the conversation's own model where that one fails", async () => {
    const rig = await rigOf({
      context: { summarizer: "cheap" },
      config: CHEAP,
      upstream: { maxRetries: 0 },
      simulator: { faults: [{ fault: "status=500", path: CHEAP_PATH, times: 9 }] },
    });
    expect((await rig.say(turn(TOO_LONG))).status).toBe(200);
    expect(rig.asks().map(({ path }) => path)).toEqual([CHEAP_PATH, "/v1/messages"]);
    expect(sentLast(rig)).toContain(SUMMARY);
    expect(written(rig)).toMatchObject([
      {
        level: 40,
        writer: { kind: "model", upstream: "anthropic", model: "claude-sonnet-4-5" },
        failures: [{ writer: { model: "gpt-4o-mini" }, why: "it answered with status 500 (upstream.broken)" }],
      },
    ]);
  });

  it("the gateway itself if both fail", async () => {
    const rig = await rigOf({
      answer: "refuse",
      context: { summarizer: "cheap" },
      config: CHEAP,
      upstream: { maxRetries: 0 },
      simulator: { faults: [{ fault: "status=500", path: CHEAP_PATH, times: 9 }] },
    });
    const answer = await rig.say(turn(TOO_LONG));
    expect([answer.status, answer.headers.get("x-longhaul-strategy")]).toEqual([200, "native"]);
    expect(written(rig)).toMatchObject([
      {
        level: 40,
        writer: { kind: "offline" },
        failures: [{ writer: { model: "gpt-4o-mini" } }, { why: "it refused" }],
      },
    ]);
  });

  it("with the profile's own prompt", async () => {
    const prompt = "List every harbour that is named, and nothing else.";
    const rig = await rigOf({
      config: {
        profiles: { docks: { context: { strategy: "native", threshold: 50, prompt } } },
        routes: [{ match: "*", upstream: "anthropic", profile: "docks" }],
      },
    });
    expect((await rig.say(turn(TOO_LONG))).status).toBe(200);
    expect(JSON.stringify(rig.asks().map(({ body }) => body))).toContain(prompt);
    expect(sentLast(rig)).not.toContain(prompt);
  });

  it("no model once the conversation has spent its cap", async () => {
    const rig = await rigOf({ context: { spendCapUsd: 0.000_001 } });
    for (let exchanges = TOO_LONG; exchanges < TOO_LONG + 16; exchanges++) {
      expect((await rig.say(turn(exchanges))).status).toBe(200);
    }
    await rig.logged(CONDENSED, 2);
    const writers = written(rig).map(({ writer }) => (writer as { kind: string }).kind);
    expect(writers).toEqual(["model"]);
    expect(rig.asks()).toHaveLength(1);
  });

  it("no model once summaries that came to nothing have spent it", async () => {
    const rig = await rigOf({ answer: "words 400", context: { spendCapUsd: 0.000_001 } });
    const said = (role: string, words: number) => ({ role, content: filler(words, words) });
    const short = [said("assistant", 20), said("user", 20), said("assistant", 20)];
    // The last three messages stay and are too large: a summary of the others does not help.
    const messages = [said("user", 900), ...short, said("user", 300), said("assistant", 1_900), said("user", 30)];
    expect((await rig.say(messages)).status).toBe(200);
    expect((await rig.say([...messages, said("assistant", 1_900), said("user", 31)])).status).toBe(200);
    const costs = rig.log().filter(({ msg }) => msg === CONDENSED);
    expect(costs[0]).toMatchObject({ strategy: "middle-out", costUsd: expect.any(Number) });
    expect(costs[0]?.costUsd).toBeGreaterThan(0);
    expect(rig.asks()).toHaveLength(1);
  });

  it("no model at all where nothing may be spent", async () => {
    const rig = await rigOf({ context: { spendCapUsd: 0 } });
    const answer = await rig.say(turn(TOO_LONG));
    expect([answer.status, answer.headers.get("x-longhaul-strategy")]).toEqual([200, "native"]);
    expect(rig.asks()).toEqual([]);
  });
});

describe("an ask below what the model has cached", () => {
  /** As a client marks it: the last block of each of its last two messages. */
  const marked = (exchanges: number) =>
    (turn(exchanges) as { role: string; content: string }[]).map(({ role, content }, index, all) => ({
      role,
      content: index < all.length - 3 || role !== "user" ? content : [{ type: "text", text: content, ...MARK }],
    }));
  const MARK = { cache_control: { type: "ephemeral" } };

  it("reads the cache instead of paying again", async () => {
    const rig = await rigOf({ window: 12_000 });
    for (const exchanges of [15, 16, 25]) expect((await rig.say(marked(exchanges))).status).toBe(200);
    await rig.logged(CONDENSED);
    const [ask] = rig.asks();
    const { cacheReadTokens = 0, cacheWriteTokens = 0, inputTokens = 0 } = ask ?? {};
    expect(cacheReadTokens / (cacheReadTokens + cacheWriteTokens + inputTokens)).toBeGreaterThan(0.5);
    expect(rig.log().find(({ msg }) => msg === "summary written")).toMatchObject({
      writer: { kind: "model", model: "claude-sonnet-4-5", form: "appended" },
    });
    const answer = await rig.say(marked(26));
    expect([answer.status, answer.headers.get("x-longhaul-context")]).toEqual([200, "reused"]);
    expect(sentLast(rig)).toContain(SUMMARY);
  });

  it("gives way to the text form where the model calls a tool in answer", async () => {
    const tools = [{ name: "look", description: "Looks.", input_schema: { type: "object" } }];
    const rig = await rigOf({
      window: 12_000,
      simulator: {
        script: ({ turns, tools: offered }) => {
          if (!turns.at(-1)?.texts.join("\n").includes(SUMMARY_SIGN)) return "say Noted.";
          return offered.length > 0 ? "call look {}" : `say ${SUMMARY}`;
        },
      },
    });
    for (const exchanges of [15, 16, 25]) await rig.say(marked(exchanges), { tools });
    await rig.logged(CONDENSED);
    expect(rig.log().find(({ msg }) => msg === "summary written")).toMatchObject({
      writer: { form: "text" },
      failures: [{ writer: { form: "appended" }, why: "it called a tool instead of answering" }],
    });
  });
});

describe("a summariser that", () => {
  const failing = async (answer: string, options: RigOptions = {}) => {
    const rig = await rigOf({ answer, ...options });
    const statuses: number[] = [];
    for (let exchanges = TOO_LONG - 1; exchanges < TOO_LONG + 4; exchanges++) {
      const reply = await rig.say(turn(exchanges));
      statuses.push(reply.status);
      expect(JSON.parse(reply.text).content).toEqual([{ type: "text", text: "Noted." }]);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(rig.turns().filter(({ rejected }) => rejected !== undefined)).toEqual([]);
    return rig;
  };
  const failures = (rig: Rig) =>
    rig
      .log()
      .filter(({ msg }) => msg === "summary written")
      .flatMap((line) => (line.failures ?? []) as { why: string }[])
      .map(({ why }) => why);

  it("is down costs the client nothing", async () => {
    const rig = await failing("say never", {
      context: { summarizer: "down" },
      config: { profiles: { down: { upstream: "openai", model: "gpt-4o-mini" } } },
      upstream: { maxRetries: 0 },
      simulator: { faults: [{ fault: "reset-before-headers", path: CHEAP_PATH, times: 99 }] },
    });
    expect(failures(rig)[0]).toMatch(/reset|reach|closed/);
  });

  it("says garbage costs the client nothing", async () => {
    const rig = await failing("garbage");
    expect(failures(rig)[0]).toBe("it wrote unreadable characters");
  });

  it("refuses costs the client nothing", async () => {
    const rig = await failing("refuse");
    expect(failures(rig)[0]).toBe("it refused");
  });

  it("says nothing costs the client nothing", async () => {
    const rig = await failing("empty");
    expect(failures(rig)[0]).toBe("it wrote nothing");
  });

  it("never ends costs the client nothing", async () => {
    const rig = await failing("endless");
    expect(sentLast(rig).length).toBeLessThan(20_000);
  });

  it("writes more than it read costs the client nothing", async () => {
    const rig = await rigOf({ answer: "words 300", context: { strategy: "sandwich" } });
    // Five large messages at either end, which stay, and three small ones between them.
    const messages = Array.from({ length: 13 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: filler(index, index > 4 && index < 8 ? 15 : 300),
    }));
    const reply = await rig.say(messages);
    expect([reply.status, reply.headers.get("x-context-compressed")], reply.text).toEqual([200, "true"]);
    expect(failures(rig)[0]).toMatch(/^its summary has \d+ tokens, the replaced messages have \d+$/);
    expect(bodies(rig).at(-1)?.at(-1)).toEqual(messages.at(-1));
    expect(rig.simulator.totals().rejected).toBe(0);
  });
});
