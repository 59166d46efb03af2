import type { JsonObject } from "@longhaul/conversation";
import { SHOP_PARTS, type ShopPart, searchHits, sourceOf, testRun } from "./shop.ts";

/** One request of the demo's session, and what follows it. */
export interface Beat {
  /** What the user says before it, where they say something. */
  readonly says?: string;
  /** What the model does: it calls a tool, whose result follows, or it ends its turn. */
  readonly reply: ToolUse | { readonly text: string };
}

/** A tool call with its result. */
interface ToolUse {
  readonly comment: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly result: string;
}

/** The tools of the demo's agent. */
export const TOOLS: readonly { readonly name: string; readonly description: string }[] = [
  { name: "search", description: "Searches the project for a word and lists the lines that hold it." },
  { name: "read", description: "Reads a file, with the numbers of its lines." },
  { name: "edit", description: "Replaces a text in a file by another one." },
  { name: "run", description: "Runs a command in the project's folder and gives what it prints." },
];

/** A long session: part after part of a shop is changed, tested and corrected, and begun anew once all were. */
export function* beats(): Generator<Beat, never> {
  for (let round = 0; ; round++) {
    for (const part of SHOP_PARTS) yield* workOn(part, round);
  }
}

function* workOn(part: ShopPart, round: number): Generator<Beat> {
  const { name, figure } = part;
  const file = `src/${name}/${name}.ts`;
  const run = round * SHOP_PARTS.length + SHOP_PARTS.indexOf(part);
  const says = round === 0 ? part.wish : `The ${figure} of ${name} is needed for returns, too. ${part.wish}`;
  const hits = { input: { text: figure }, result: searchHits(part) };
  yield { says, reply: { tool: "search", ...hits, comment: "I look for where that is used." } };
  yield { reply: { ...read(file, sourceOf(part, run)), comment: `Now the rules of ${name}.` } };
  yield { reply: { ...read(`test/${name}.test.ts`, sourceOf(part, run + 40)), comment: "And its tests." } };
  yield { reply: edit(file, figure, run) };
  yield { reply: { ...test(testRun(part, run)), comment: "The tests will tell." } };
  yield { reply: { ...read(file, sourceOf(part, run + 1)), comment: "One fails; I read the file again." } };
  yield { reply: edit(file, figure, run + 1) };
  yield { reply: { ...test(testRun(undefined, run)), comment: "Once more." } };
  yield { reply: { text: `The ${figure} of ${name} follows the new rule now, in ${file}; all tests pass.` } };
  yield { says: part.correction, reply: edit(file, figure, run + 2) };
  yield { reply: { ...test(testRun(undefined, run + 1)), comment: "I check that, too." } };
  yield { reply: { text: `Corrected in ${file}, and the tests pass. The audit entry is as it was.` } };
}

function read(path: string, result: string) {
  return { tool: "read", input: { path }, result };
}

function test(result: string) {
  return { tool: "run", input: { command: "npm test" }, result };
}

function edit(path: string, figure: string, run: number): ToolUse {
  const before = `  if (gross >= rules.${figure}Limit * ${(run + 1) * 100}) {`;
  const after = `  if (net >= rules.${figure}Limit * ${(run + 2) * 100} && order.coupons.length <= ${run % 4}) {`;
  const result = `${path} was changed in 1 place.`;
  return {
    tool: "edit",
    input: { path, before, after },
    result,
    comment: `The limit of the ${figure} comes too early.`,
  };
}
