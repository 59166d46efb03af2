import { expect } from "vitest";
import { turn } from "../context/rig.ts";
import { type Answered, originOf, say } from "./replica.ts";
import { messagesIn, type Upstream } from "./upstream.ts";

/** Messages of a session's turn, which no other session shares. */
export function turnOf(session: string, exchanges: number): object[] {
  const [first, ...others] = turn(exchanges);
  return [{ ...first, content: `Session ${session}. ${Object(first).content}` }, ...others];
}

/** Says every turn of a session twice, so that two gateways that take turns get each, and returns how they were sent. */
export async function playTwice(url: string, from: number, to: number): Promise<string[][]> {
  const origins: string[][] = [];
  for (let exchanges = from; exchanges <= to; exchanges++) {
    const answers: Answered[] = [];
    for (let time = 0; time < 2; time++) answers.push(await say(url, turnOf("a", exchanges)));
    origins.push(answers.map(originOf));
  }
  return origins;
}

/** Both gateways sent every turn with the same bytes, and all but condensed ones go on from those of the turn before. */
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

/** Nobody has asked for the same summary twice. */
export function expectAskedOnce(upstream: Upstream): void {
  const asks = upstream.asks();
  expect(asks.length).toBeGreaterThan(0);
  expect(new Set(asks).size).toBe(asks.length);
}
