import { isObject, numberIn, textIn } from "../core/json.ts";
import { Rejection } from "../core/rejection.ts";
import type { FaultRule } from "./faults.ts";
import type { RecordedRequest, Totals } from "./records.ts";

/** What can be asked of a simulator from outside its process. */
export interface Controls {
  requests(): readonly RecordedRequest[];
  totals(): Totals;
  inject(rule: FaultRule): void;
  reset(): void;
}

const PREFIX = "/_simulator/";

/** Whether a path is meant for the simulator itself and not for one of its APIs. */
export function isControl(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** Answers questions and orders: `GET requests`, `GET totals`, `POST faults`, `POST reset`. */
export function answerControl(
  method: string,
  path: string,
  { body, controls }: { body: unknown; controls: Controls },
): unknown {
  switch (`${method} ${path.slice(PREFIX.length)}`) {
    case "GET requests":
      return controls.requests();
    case "GET totals":
      return controls.totals();
    case "POST faults":
      controls.inject(readRule(body));
      return {};
    case "POST reset":
      controls.reset();
      return {};
    default:
      throw new Rejection(404, `the simulator has no ${method} ${path}; it has requests, totals, faults and reset`);
  }
}

function readRule(body: unknown): FaultRule {
  if (!isObject(body) || textIn(body.fault) === "")
    throw new Rejection(400, 'give a fault: { "fault": "status=429", "times": 2 }');
  const times = numberIn(body.times);
  const path = textIn(body.path);
  return { fault: textIn(body.fault), ...(times !== undefined && { times }), ...(path !== "" && { path }) };
}
