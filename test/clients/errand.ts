import { join } from "node:path";
import type { SimulatorOptions } from "@longhaul/simulator";
import type { Client } from "./client.ts";
import { isCalled } from "./ledger.ts";

/** The task of a client with sub-agents. */
export const ERRAND = "Ask a helper to count the boats in the harbour, then say that you are done.";

/** The last message of the main thread. */
export const ERRAND_DONE = "The helper has counted the boats.";

const HELPERS_TASK = "Count the boats.";
const EVER = Number.POSITIVE_INFINITY;
/** Maximum turns of the main thread while its sub-agent works. */
const MAX_TURNS = 60;

/** The main thread's model starts one sub-agent and reads a file until that has sent a request; the sub-agent's model answers at once. */
export function makeErrand(client: Client, folder: string): NonNullable<SimulatorOptions["script"]> {
  let turns = 0;
  let isAnswered = false;
  const say = (text: string) => ({ calls: [], times: 0, ending: { kind: "say", text } }) as const;
  return (prompt) => {
    const isSaid = (words: string) => prompt.turns.some(({ texts }) => texts.some((text) => text.includes(words)));
    if (prompt.tools.length === 0) return undefined;
    if (!isSaid(ERRAND)) {
      isAnswered ||= isSaid(HELPERS_TASK);
      return say("There are seven boats.");
    }
    turns++;
    if (isAnswered || turns > MAX_TURNS) return say(ERRAND_DONE);
    const wanted = turns === 1 ? client.delegate?.(HELPERS_TASK) : client.read(join(folder, "leaf-1.txt"));
    const tool = prompt.tools.find(({ name }) => isCalled(name, wanted?.name ?? ""));
    if (tool === undefined || wanted === undefined) return say(`There is no tool ${wanted?.name}.`);
    return { calls: [{ name: tool.name, input: wanted.input }], times: EVER };
  };
}
