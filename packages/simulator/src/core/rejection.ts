import type { JsonObject } from "./json.ts";

/** What a refusal carries besides its message; each dialect takes what it knows. */
interface RejectionDetails {
  /** A short word for machines: `context_length_exceeded`. */
  readonly code?: string;
  /** The parameter that is wrong. */
  readonly param?: string;
  /** The dialect's own word for the kind, where the status alone does not decide it. */
  readonly type?: string;
  /** Headers that come with it: `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What Google says beside the message: `google.rpc` objects. */
  readonly more?: readonly JsonObject[];
  /** Whether it comes as the one element of a list, as a stream without events has them. */
  readonly isInList?: boolean;
}

/** A request that a simulated API refuses, with the vendor's wording. */
export class Rejection extends Error {
  readonly status: number;
  readonly details: RejectionDetails;

  constructor(status: number, message: string, details: RejectionDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** Refuses unless a condition holds. A message that takes long to write is given as a function. */
export function demand(
  condition: boolean,
  message: string | (() => string),
  details?: RejectionDetails,
): asserts condition {
  if (!condition) throw new Rejection(400, typeof message === "string" ? message : message(), details);
}
