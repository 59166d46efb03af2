import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SimulatorOptions } from "@longhaul/simulator";
import type { Client } from "./client.ts";

/** Number of files to read. Together they are larger than the window. */
export const LEAVES = 30;

/** The client's task. */
export const TASK = `Read the ${LEAVES} leaves of the harbour ledger in this folder one after the other, leaf-1.txt first, then say that you are done.`;

/** The model's last message. */
export const LAST_WORDS = `All ${LEAVES} leaves of the ledger are read.`;

export function writeLedger(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let leaf = 1; leaf <= LEAVES; leaf++) writeFileSync(join(folder, fileOf(leaf)), linesOf(leaf).join("\n"));
}

function fileOf(leaf: number): string {
  return `leaf-${leaf}.txt`;
}

const ENTRIES = 140;

/** The lines of one file, which no other file has. */
export function linesOf(leaf: number): string[] {
  const entries = Array.from({ length: ENTRIES }, (_, entry) => {
    const word = (at: number) => WORDS[(leaf * 7 + entry * 13 + at * 5 + ((entry * leaf) % 11)) % WORDS.length];
    return `${leaf}.${entry}: ${leaf * 31 + entry} crates of ${word(0)} and ${word(1)} for the ${word(2)} at berth ${entry}, ${word(3)} paid`;
  });
  return [`Leaf ${leaf} of ${LEAVES} begins.`, ...entries, `Leaf ${leaf} of ${LEAVES} ends.`, ""];
}

const WORDS =
  "harbour lantern meadow copper thistle engine ribbon window marble canyon orchard velvet compass timber saddle glacier pepper mirror anchor falcon".split(
    " ",
  );

const MARK = new RegExp(`Leaf (\\d+) of ${LEAVES} (?:begins|ends)\\.`, "g");

/** How clients ask for a summary, and how the gateway's compacted history begins or ends. */
const SUMMARY = /\b(?:summary of the conversation|data to summarize)\b/i;
const GIVEN = /Continue the work from here\.\)$|^Summary of the conversation so far/;

/** Each step decides again whether there is another. */
const EVER = Number.POSITIVE_INFINITY;

/** After this many turns the model gives up, because it never got what it asked for. */
const MAX_TURNS = LEAVES * 2;

/**
 * The model reads file after file with the client's own tool. It knows which files it has read only from its prompt, where condensing never
 * removes the latest; after a compaction by the client it has to remember. A request for a summary, which clients that compact by
 * themselves send, gets one.
 */
export function makeScript(client: Client, folder: string): NonNullable<SimulatorOptions["script"]> {
  let turns = 0;
  let remembered = 0;
  return (prompt) => {
    const latest = latestLeaf(prompt.turns.flatMap(({ texts }) => texts));
    if (client.compacts === true) remembered = Math.max(remembered, latest);
    const next = Math.max(remembered, latest) + 1;
    const { name, input } = client.read(join(folder, fileOf(next)));
    const tool = prompt.tools.find((known) => isCalled(known.name, name));
    if (tool === undefined || asksForSummary(client, prompt.turns.at(-1)?.texts.join() ?? "")) return undefined;
    turns++;
    if (turns > MAX_TURNS) return { calls: [], times: 0, ending: { kind: "say", text: "The leaves do not come." } };
    if (next <= LEAVES) return { calls: [{ name: tool.name, input }], times: EVER, comment: `Now leaf ${next}.` };
    const ending = { kind: "say", text: LAST_WORDS } as const;
    return client.finish === undefined
      ? { calls: [], times: 0, ending }
      : { calls: [client.finish(LAST_WORDS)], times: EVER, ending };
  };
}

function asksForSummary({ compacts = false }: Client, text: string): boolean {
  return SUMMARY.test(text) && !(compacts && GIVEN.test(text));
}

/** Whether a tool has the wanted name; tools of a namespace have longer names at other vendors. */
export function isCalled(name: string, wanted: string): boolean {
  return name === wanted || (name.includes(`_${wanted}_`) && /_[0-9a-f]{8}$/.test(name));
}

function latestLeaf(texts: readonly string[]): number {
  const marks = texts.flatMap((text) => [...text.matchAll(MARK)].map(([, leaf]) => Number(leaf)));
  return Math.max(0, ...marks);
}
