import { expect } from "vitest";
import { filler, turn } from "../context/rig.ts";
import { type Answered, originOf, send } from "./replica.ts";
import { messagesIn, type Upstream } from "./upstream.ts";

/** The messages of a session's turn, which no other session shares. */
export function turnOf(session: string, exchanges: number): object[] {
  const [first, ...others] = turn(exchanges);
  return [{ ...first, content: `Session ${session}. ${Object(first).content}` }, ...others];
}

/** Sends every turn of a session twice, so that two alternating gateways get each, and returns how they were sent. */
export async function playTwice(url: string, from: number, to: number): Promise<string[][]> {
  const origins: string[][] = [];
  for (let exchanges = from; exchanges <= to; exchanges++) {
    const answers: Answered[] = [];
    for (let time = 0; time < 2; time++) answers.push(await send(url, turnOf("a", exchanges)));
    origins.push(answers.map(originOf));
  }
  return origins;
}

/**
 * Expects that both gateways sent every turn with the same bytes, and that each turn continues the previous one unless it was condensed.
 */
export function expectContinued(upstream: Upstream, origins: readonly (readonly string[])[]): void {
  const turns = upstream.turns();
  expect(turns).toHaveLength(origins.length * 2);
  for (const [index, [first, second]] of origins.entries()) {
    const [one = "", other = ""] = turns.slice(2 * index, 2 * index + 2);
    expect(other, `turn ${index}, ${first} and ${second}`).toBe(one);
    if (index === 0 || first === "new") continue;
    const before = messagesIn(turns[2 * index - 2] ?? "");
    expect(messagesIn(one).slice(0, before.length), `turn ${index}, ${first}`).toEqual(before);
  }
}

/** An agent's session that reads the same two files repeatedly: its messages after this many reads. */
export function readsOf(reads: number): object[] {
  const steps = Array.from({ length: reads }, (_, number) => {
    const [id, seed] = [`call_${number}`, number % 2];
    const content = Array.from({ length: 60 }, (_line, line) => `line ${line} of ${seed}: ${filler(line + seed, 8)}`);
    return [
      { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { path: `file-${seed}` } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: content.join("\n") }] },
    ];
  });
  return [{ role: "user", content: "Read the files." }, ...steps.flat()];
}

/** Expects that no summary was requested twice. */
export function expectSummarizedOnce(upstream: Upstream): void {
  const asks = upstream.asks();
  expect(asks.length).toBeGreaterThan(0);
  expect(new Set(asks).size).toBe(asks.length);
}
