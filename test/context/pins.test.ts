import { fingerprint, textMessage } from "@longhaul/conversation/advanced";
import { sha256 } from "@longhaul/fit";
import { describe, expect, it } from "vitest";
import { openRig, type Rig, type RigOptions } from "./rig.ts";

const FILLER = "Some words about the work that fill the window of the model. ".repeat(12);
const RULE = "The invoice number is 4711-0815.";

/** A chat whose third message is the rule. */
function chat(turns: number, rule: string): { readonly role: string; readonly content: string }[] {
  const messages = Array.from({ length: turns }, (_, turn) => [
    { role: "user", content: turn === 1 ? rule : `Question ${turn}. ${FILLER}` },
    { role: "assistant", content: `Answer ${turn}. ${FILLER}` },
  ]).flat();
  return [...messages, { role: "user", content: "And now?" }];
}

async function withRig(options: RigOptions, work: (rig: Rig) => Promise<void>): Promise<void> {
  const rig = await openRig(options);
  try {
    await work(rig);
  } finally {
    await rig.close();
  }
}

const lastSent = (rig: Rig) => JSON.stringify(rig.turns().at(-1)?.body);

describe("a pinned message", () => {
  it("is dropped without a pin", () =>
    withRig({ context: { strategy: "sliding-window" } }, async (rig) => {
      await rig.say(chat(20, RULE));
      expect(lastSent(rig)).not.toContain(RULE);
    }));

  it.each(["sliding-window", "smart", "truncation"])(
    "marked in its text survives three condensations with %s",
    (strategy) =>
      withRig({ context: { strategy } }, async (rig) => {
        for (const turns of [20, 32, 44]) {
          const { status, headers } = await rig.say(chat(turns, `#longhaul-pin ${RULE}`));
          expect([status, headers.get("x-longhaul-context")]).toEqual([200, "new"]);
          expect(lastSent(rig)).toContain(RULE);
        }
      }),
  );

  it("comes back with the next request that names its hash in a header", () =>
    withRig({ context: { strategy: "sliding-window" } }, async (rig) => {
      await rig.say(chat(20, RULE));
      expect(lastSent(rig)).not.toContain(RULE);
      const hash = fingerprint(textMessage("user", RULE), sha256);
      await rig.say(chat(20, RULE), {}, { "x-longhaul-pins": hash });
      expect(lastSent(rig)).toContain(RULE);
      await rig.say(chat(21, RULE), {}, { "x-longhaul-pins": hash });
      expect(lastSent(rig)).toContain(RULE);
    }));

  it("rejects a header that is not a list of hashes", () =>
    withRig({}, async (rig) => {
      const { status, text } = await rig.say(chat(1, RULE), {}, { "x-longhaul-pins": "no hash!" });
      expect([status, text]).toEqual([400, expect.stringContaining("x-longhaul-pins")]);
    }));
});
