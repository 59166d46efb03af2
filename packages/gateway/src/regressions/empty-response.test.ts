import { makeUser } from "@longhaul/conversation/testing";
import { COMPACTION_INSTRUCTIONS, type CompactionNote, stripReply, stripStream } from "@longhaul/fit";
import { askClaude, makeLongText, makeRequest } from "@longhaul/fit/testing";
import { openSimulator, type Prompt, type Simulator } from "@longhaul/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("Bug 2: the response is empty after compaction", () => {
  let simulator: Simulator;
  const asked: string[] = [];
  beforeAll(async () => {
    simulator = await openSimulator({ script: (prompt) => behave(prompt, asked) });
  });
  afterAll(() => simulator.close());

  const edit = { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } };
  const ours = { ...edit, instructions: COMPACTION_INSTRUCTIONS };
  const request = makeRequest([makeUser(`${makeLongText(40_000)}\n\nWhich port does it use?`)], {
    reasoning: { mode: "adaptive" },
  });
  const sentAs = (compact: typeof edit, isStream = false) => ({
    betas: ["compact-2026-01-12"],
    fields: { context_management: { edits: [compact] } },
    isStream,
  });

  it("asks for the user's latest message verbatim in the summary", async () => {
    await askClaude(simulator.url, request, sentAs(ours));
    expect(asked.at(-1)).toBe(COMPACTION_INSTRUCTIONS);
  });

  it("is detected in a whole reply, and not if there is an answer", async () => {
    expect(await notesOfReply(edit)).toEqual(["compacted", "empty-answer"]);
    expect(await notesOfReply(ours)).toEqual(["compacted"]);
  });

  it("is detected in a stream, and not if there is an answer", async () => {
    expect(await notesOfStream(edit)).toEqual(["compacted", "empty-answer"]);
    expect(await notesOfStream(ours)).toEqual(["compacted"]);
  });

  async function notesOfReply(compact: typeof edit): Promise<string[]> {
    const { reply } = await askClaude(simulator.url, request, sentAs(compact));
    const notes: CompactionNote[] = [];
    stripReply(reply, (note) => void notes.push(note));
    return notes.map(({ kind }) => kind);
  }

  async function notesOfStream(compact: typeof edit): Promise<string[]> {
    const { events } = await askClaude(simulator.url, request, sentAs(compact, true));
    const notes: CompactionNote[] = [];
    const stepper = stripStream((note) => void notes.push(note));
    let state = stepper.start();
    for (const event of events) [state] = stepper.step(state, event);
    return notes.map(({ kind }) => kind);
  }
});

/** A model that answers only if its summary contains the user's message, as seen in production; otherwise it thinks and stops. */
function behave({ turns }: Prompt, asked: string[]): string | undefined {
  const last = turns.at(-1)?.texts.join("\n") ?? "";
  if (last.endsWith("Which port does it use?")) {
    return asked.at(-1) === COMPACTION_INSTRUCTIONS ? "say Port 4141." : "empty";
  }
  asked.push(last);
  return "say The user asked about various topics.";
}
