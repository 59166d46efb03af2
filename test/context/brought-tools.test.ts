import type { SimulatorOptions } from "@longhaul/simulator";
import { afterEach, expect, it } from "vitest";
import { replyIn } from "./formats.ts";
import { openRig, type Rig, turn } from "./rig.ts";

let rig: Rig;
afterEach(() => rig.close());

/** The model calls the first of its tools. */
const CALL_FIRST: NonNullable<SimulatorOptions["script"]> = ({ tools: [first] }) =>
  first && { calls: [{ name: first.name, input: { text: "harbour" } }], times: 1 };

/** What Codex opens its input with when it asks newer models: tools, some of them in a namespace, and instructions. */
const OPENING = [
  {
    type: "additional_tools",
    role: "developer",
    tools: [
      {
        type: "namespace",
        name: "notes",
        description: "What was written down.",
        tools: [{ type: "function", name: "find", description: "Finds notes.", parameters: { type: "object" } }],
      },
    ],
  },
  { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
];

const ask = (model: string, stream: boolean, exchanges: number) =>
  rig.post("/v1/responses", { model, stream, max_output_tokens: 200, input: [...OPENING, ...turn(exchanges)] });

it.each([false, true])(
  "a model of the same format keeps them while the rest is condensed (stream: %s)",
  async (stream) => {
    rig = await openRig({ context: { strategy: "sliding-window" }, simulator: { script: CALL_FIRST } });
    const { status, text } = await ask("gpt-4o", stream, 40);
    expect(status).toBe(200);
    const [sent] = rig.turns();
    const { input, tools }: { input: object[]; tools?: unknown } = JSON.parse(JSON.stringify(sent?.body));
    expect(input.slice(0, 2)).toEqual(OPENING);
    expect(tools).toBeUndefined();
    expect(input.length).toBeLessThan(turn(40).length);
    expect(text).toContain('"namespace":"notes"');
  },
);

it.each([false, true])(
  "a model of another vendor gets them as tools, and its call comes back as the client knows it (stream: %s)",
  async (stream) => {
    rig = await openRig({ simulator: { script: CALL_FIRST } });
    const { status, text } = await ask("claude-sonnet-4-5", stream, 2);
    expect(status).toBe(200);
    expect(rig.turns()[0]?.body).toMatchObject({
      system: [{ text: "Be brief." }],
      tools: [{ name: expect.stringMatching(/^notes_find_/), description: "What was written down.\n\nFinds notes." }],
    });
    const calls = replyIn("openai-responses", stream, text).blocks.filter(({ type }) => type === "tool-call");
    expect(calls).toMatchObject([{ name: "notes/find", input: { text: "harbour" } }]);
    expect(text).toContain('"name":"find","namespace":"notes"');
  },
);
