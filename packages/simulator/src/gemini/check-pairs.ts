import type { JsonObject } from "../core/json.ts";
import { demand } from "../core/rejection.ts";
import { callsIn, responsesIn } from "./messages.ts";

/**
 * Refuses calls that are not answered by the content right after them, as many results as calls, and results without calls. Consecutive
 * contents of one role are not taken together: results of parallel calls have to stand in one content.
 */
export function checkPairs(contents: readonly JsonObject[]): void {
  for (const [at, content] of contents.entries()) {
    const calls = callsIn(content).length;
    const before = contents[at - 1];
    const after = contents[at + 1];
    if (calls > 0) checkCalls(calls, { before, after });
    demand(
      responsesIn(content).length === 0 || (before !== undefined && callsIn(before).length > 0),
      "Please ensure that function response turn comes immediately after a function call turn.",
    );
  }
}

function checkCalls(
  calls: number,
  { before, after }: { before: JsonObject | undefined; after: JsonObject | undefined },
): void {
  demand(
    before !== undefined && before.role !== "model",
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
  );
  demand(
    after !== undefined && responsesIn(after).length === calls,
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
  );
}
