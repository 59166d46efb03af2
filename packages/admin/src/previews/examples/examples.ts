import { type JsonObject, LonghaulError } from "@longhaul/conversation";
import { once } from "@longhaul/fit";
import { bugHunt } from "./bug-hunt.ts";
import { outage } from "./outage.ts";
import { planning } from "./planning.ts";

/** A conversation to try things out with. */
export interface Example {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly messages: number;
  /** The body of a request, as text. */
  readonly text: string;
}

/** All of them; they are written when they are first asked for. */
export const examples: () => readonly Example[] = once(() => [
  make("bug-hunt", bugHunt(), {
    name: "A bug hunt",
    description: "A coding agent reads the same files again and again, and runs the same tests.",
  }),
  make("outage", outage(), {
    name: "An outage at night",
    description: "Long logs and figures from tools, of which a few lines matter.",
  }),
  make("planning", planning(), {
    name: "Plans for a library",
    description: "Words only: numbers, dates and decisions that still bind at the end.",
  }),
]);

/** The example of an id; an unknown one throws `request.not-kept`. */
export function findExample(id: string): Example {
  const found = examples().find((example) => example.id === id);
  if (found !== undefined) return found;
  const known = examples().map((example) => example.id);
  throw new LonghaulError("request.not-kept", `there is no example "${id}"; there are ${known.join(", ")}`);
}

function make(id: string, body: JsonObject, about: Pick<Example, "name" | "description">): Example {
  const messages = Array.isArray(body.messages) ? body.messages.length : 0;
  return { id, ...about, messages, text: JSON.stringify(body) };
}
