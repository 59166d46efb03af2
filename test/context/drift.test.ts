import { expect, it, onTestFinished } from "vitest";
import { filler, openRig } from "./rig.ts";

const TURNS = 50;
const WINDOW = 16_000;
/** Far over all that is said. */
const WIDE = 200_000;

const TOOLS = ["read", "run"].map((name) => ({ name, input_schema: { type: "object" } }));

/** A file with the numbers of its lines, as agents read it: denser than prose. */
function source(seed: number): string {
  const line = (at: number) =>
    `  if (order${seed}.total >= rules[${at}].limit * ${at * seed}) { audit("a.${seed}.${at}"); }`;
  return Array.from({ length: 40 }, (_, at) => `${at + 1}\t${line(at)}`).join("\n");
}

/** A step of an agent: it says something and calls a tool, whose result is long now and then. */
function step(at: number): object[] {
  const id = `call_${at}`;
  const [name, result] = at % 3 === 0 ? ["read", source(at)] : ["run", `PASS ${at}: ${filler(at, 30)}`];
  const input = { path: `src/part-${at}.ts`, reason: filler(at, 6) };
  return [
    { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] },
  ];
}

/** Size of a session's last turn as received, by the gateway's count. */
async function sizeUnder(strategy: string, window: number): Promise<number> {
  const rig = await openRig({ window, context: { strategy } });
  onTestFinished(rig.close);
  const messages: object[] = [{ role: "user", content: "Please look at every part, one by one." }];
  let size = 0;
  for (let at = 0; at < TURNS; at++) {
    messages.push(...step(at));
    const { status, headers, text } = await rig.say(messages, { tools: TOOLS });
    expect(status, text).toBe(200);
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = JSON.parse(text).usage;
    const reported = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
    size = Number(headers.get("x-original-tokens") ?? reported);
  }
  return size;
}

it("counts the same conversation equally, whatever its strategy sends", { timeout: 120_000 }, async () => {
  const truth = await sizeUnder("full-history", WIDE);
  expect(truth).toBeGreaterThan(WINDOW * 1.5);
  for (const strategy of ["middle-out", "truncation", "sandwich", "lossless"]) {
    const size = await sizeUnder(strategy, WINDOW);
    expect(Math.abs(size - truth) / truth, `${strategy}: ${size} instead of ${truth}`).toBeLessThan(0.03);
  }
});
