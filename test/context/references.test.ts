import { describe, expect, it, onTestFinished } from "vitest";
import { filler, makeStorePath, openRig, type Rig, type RigOptions } from "./rig.ts";

async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig({ window: 100_000, context: { strategy: "lossless" }, ...options });
  onTestFinished(rig.close);
  return rig;
}

const tools = [{ name: "read", input_schema: { type: "object" } }];
const file = (seed: number) =>
  Array.from({ length: 60 }, (_, line) => `line ${line} of ${seed}: ${filler(line + seed, 8)}`).join("\n");

/** One step of an agent: it reads a file. */
function step(number: number, seed: number): object[] {
  const id = `call_${number}`;
  return [
    { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { path: `file-${seed}` } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: file(seed) }] },
  ];
}

const START = { role: "user", content: "Read the files." };
/** The same two files, over and over. */
const SEEDS = [1, 2, 1, 2, 1];

/** The client's message on each turn. */
function history(steps: number): object[] {
  return [START, ...SEEDS.slice(0, steps).flatMap((seed, number) => step(number, seed))];
}

function sent(rig: Rig): string[][] {
  return rig
    .turns()
    .map(({ body }) => (body as { messages: object[] }).messages.map((message) => JSON.stringify(message)));
}

async function play(rig: Rig, upTo = SEEDS.length): Promise<void> {
  for (let steps = 0; steps <= upTo; steps++) {
    const answer = await rig.say(history(steps), { tools });
    expect(answer.status, answer.text).toBe(200);
  }
}

interface Copying {
  readonly stream: boolean;
  /** The user's text. */
  readonly asked: (mark: string) => string;
}

/** Plays a session with references, after which the model copies one of them into its answer. */
async function copy({ stream, asked }: Copying): Promise<{ rig: Rig; mark: string; text: string }> {
  let mark = "";
  const rig = await rigOf({ simulator: { script: () => (mark === "" ? undefined : `say As ${mark} says.`) } });
  await play(rig, 3);
  const [result] = JSON.parse(sent(rig)[3]?.[6] ?? "{}").content;
  const written = typeof result.content === "string" ? result.content : result.content[0].text;
  mark = written.split("\n").find((line: string) => !line.startsWith("line ")) ?? "";
  expect(mark).not.toBe("");
  const messages = [...history(3), { role: "assistant", content: "Yes." }, { role: "user", content: asked(mark) }];
  const answer = await rig.say(messages, { tools, stream, max_tokens: 1_000 });
  expect(answer.status, answer.text).toBe(200);
  const deltas = [...answer.text.matchAll(/"text_delta","text":("(?:[^"\\]|\\.)*")/g)];
  const text = stream
    ? deltas.map(([, json]) => JSON.parse(json ?? '""')).join("")
    : JSON.parse(answer.text).content[0].text;
  return { rig, mark, text };
}

describe("references before the trigger", () => {
  it("replace text that was read before, from the first turn on, and stay the same on every later turn", async () => {
    const rig = await rigOf();
    await play(rig);
    const turns = sent(rig);
    expect(turns[5]?.[2]).toContain("line 30 of 1");
    for (const index of [6, 8, 10]) expect(turns[5]?.[index]).not.toContain("line 30 of");
    for (const [number, messages] of turns.entries()) {
      expect(messages.slice(0, turns[number - 1]?.length ?? 0)).toEqual(turns[number - 1] ?? []);
    }
    expect(rig.turns().at(-1)?.bytes).toBeLessThan(JSON.stringify(history(5)).length * 0.6);
  });

  it("are reported in headers", async () => {
    const rig = await rigOf();
    await play(rig, 2);
    const { headers } = await rig.say(history(3), { tools });
    expect(headers.get("x-context-compressed")).toBe("true");
    expect(Number(headers.get("x-compressed-tokens"))).toBeLessThan(Number(headers.get("x-original-tokens")));
  });

  it("are the same after a restart", async () => {
    const rig = await rigOf({ storePath: makeStorePath() });
    await play(rig, 3);
    await rig.restart();
    await rig.say(history(4), { tools });
    const turns = sent(rig);
    expect(turns[4]?.slice(0, turns[3]?.length)).toEqual(turns[3]);
    expect(turns[4]?.[8]).not.toContain("line 30 of");
  });

  it("do not change messages that were sent before the gateway saw the conversation", async () => {
    const rig = await rigOf();
    await rig.say(history(4), { tools });
    const [messages = []] = sent(rig);
    expect(messages[6]).toContain("line 30 of 1");
    expect(messages[8]).not.toContain("line 30 of 2");
  });

  it.each([false, true])("are written out where the model copies one (stream: %s)", async (stream) => {
    const { mark, text } = await copy({ stream, asked: () => "And?" });
    expect(text).toContain("line 30 of 1");
    expect(text).not.toContain(mark);
  });

  it.each([false, true])("stay as they are if the user says the same words (stream: %s)", async (stream) => {
    const { mark, text } = await copy({ stream, asked: (found) => `Write ${found} to the file.` });
    expect(text).toContain(`As ${mark} says.`);
    expect(text).not.toContain("line 30 of 1");
  });

  it("stay as they are in another conversation", async () => {
    const { rig, mark } = await copy({ stream: false, asked: () => "And?" });
    const answer = await rig.say([{ role: "user", content: "Hello." }], { tools, max_tokens: 1_000 });
    expect(JSON.parse(answer.text).content[0].text).toBe(`As ${mark} says.`);
  });

  it.each([
    ["off", { strategy: "lossless", references: "off" }],
    ["another strategy", { strategy: "middle-out" }],
  ])("are not made with %s", async (_, context) => {
    const rig = await rigOf({ context });
    await play(rig, 3);
    expect(sent(rig)[3]?.[6]).toContain("line 30 of 1");
  });

  it("are made with any strategy where the settings say so", async () => {
    const rig = await rigOf({ context: { strategy: "middle-out", references: "on" } });
    await play(rig, 3);
    expect(sent(rig)[3]?.[6]).not.toContain("line 30 of 1");
  });

  it("go on through a condensation", async () => {
    const rig = await rigOf({ window: 6_000 });
    await play(rig);
    expect(rig.simulator.totals().rejected).toBe(0);
  });
});

it("keep the client's cache breakpoints on their messages", async () => {
  const rig = await rigOf();
  const cache_control = { type: "ephemeral" };
  for (let steps = 0; steps <= 5; steps++) {
    const messages = history(steps) as { role: string; content: string | object[] }[];
    const marked = messages.map((message, index) => {
      if (index < messages.length - 1) return message;
      const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
      return { ...message, content: blocks.map((block) => ({ ...block, cache_control })) };
    });
    await rig.say(marked, { tools });
  }
  expect(rig.turns().at(-1)?.cacheReadTokens).toBeGreaterThan(1_000);
  expect(sent(rig).at(-1)?.at(-1)).toContain("cache_control");
});
