import { type JsonObject, LonghaulError } from "@longhaul/conversation";
import { once } from "@longhaul/fit";
import { bugHunt } from "./bug-hunt.ts";
import { outage } from "./outage.ts";
import { planning } from "./planning.ts";

export interface Example {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly messages: number;
  readonly text: string;
}

export const examples: () => readonly Example[] = once(() => [
  make("bug-hunt", bugHunt(), {
    name: "A bug hunt",
    description: "A coding agent reads the same files and runs the same tests many times.",
  }),
  make("outage", outage(), {
    name: "An outage at night",
    description: "Long logs and metrics from tools, with a few relevant lines.",
  }),
  make("planning", planning(), {
    name: "Plans for a library",
    description: "Text only: numbers, dates and decisions that still matter at the end.",
  }),
]);

/** Returns an example. An unknown id throws `request.not-kept`. */
export function findExample(id: string): Example {
  const found = examples().find((example) => example.id === id);
  if (found !== undefined) return found;
  const known = examples().map((example) => example.id);
  throw new LonghaulError("request.not-kept", `example "${id}" not found; choose one of ${known.join(", ")}`);
}

function make(id: string, body: JsonObject, about: Pick<Example, "name" | "description">): Example {
  const messages = Array.isArray(body.messages) ? body.messages.length : 0;
  return { id, ...about, messages, text: JSON.stringify(body) };
}
