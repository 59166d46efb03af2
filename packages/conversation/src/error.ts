import { table } from "./values/json.ts";

/** All error codes. The first word says where the cause is; `docs/errors.md` explains each code. */
export const ERROR_CODES = table({
  "request.malformed": { status: 400, retryable: false },
  "request.unsupported": { status: 400, retryable: false },
  "request.too-large": { status: 400, retryable: false },
  "request.body-too-large": { status: 413, retryable: false },
  "request.not-kept": { status: 404, retryable: false },
  "auth.missing": { status: 401, retryable: false },
  "auth.denied": { status: 403, retryable: false },
  "limit.exceeded": { status: 429, retryable: true },
  "limit.overloaded": { status: 503, retryable: true },
  "route.unknown": { status: 404, retryable: false },
  "upstream.refused": { status: 400, retryable: false },
  "upstream.busy": { status: 503, retryable: true },
  "upstream.broken": { status: 502, retryable: true },
  "upstream.unreachable": { status: 502, retryable: true },
  "upstream.timeout": { status: 504, retryable: true },
  "store.unavailable": { status: 503, retryable: true },
  "store.damaged": { status: 503, retryable: false },
  "store.newer": { status: 503, retryable: false },
  "store.conflict": { status: 409, retryable: false },
  "condense.failed": { status: 500, retryable: false },
  "settings.invalid": { status: 400, retryable: false },
  "catalog.invalid": { status: 400, retryable: false },
  "log.unreadable": { status: 400, retryable: false },
  "internal.bug": { status: 500, retryable: false },
  VALIDATION_ERROR: { status: 400, retryable: false },
  SERVICE_UNAVAILABLE: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>);

/** One of the codes in `ERROR_CODES`. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Size of a prompt that exceeds the model's context window, as far as it is known. */
export interface Overflow {
  /** Tokens in the prompt. */
  readonly actualTokens?: number;
  /** Size of the context window. */
  readonly limitTokens?: number;
  /** Tokens reserved for the reply, if the upstream counts them. */
  readonly outputTokens?: number;
  /** Our advice on what to shorten; encoders append it to the phrase that clients look for. */
  readonly advice?: string;
}

/** A problem with one field, for example `context.threshold`. */
export interface ErrorFault {
  readonly path: string;
  readonly message: string;
}

/** Optional details of an error. */
export interface ErrorDetails {
  readonly cause?: unknown;
  /** Overrides the status of the code, for example to pass on an upstream's status. */
  readonly status?: number;
  /** Set if the request exceeds the model's context window. */
  readonly overflow?: Overflow;
  /** Delay after which a retry may succeed, if known. */
  readonly retryAfterMs?: number;
  /** The request field at fault, if it is a single one. */
  readonly param?: string;
  /** All fields at fault, if there can be several. */
  readonly faults?: readonly ErrorFault[];
}

/** The only error class. Its message names the problem, the value at fault and the fix. */
export class LonghaulError extends Error {
  override readonly name = "LonghaulError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly overflow: Overflow | undefined;
  readonly retryAfterMs: number | undefined;
  readonly param: string | undefined;
  readonly faults: readonly ErrorFault[];

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status ?? ERROR_CODES[code].status;
    this.retryable = ERROR_CODES[code].retryable;
    this.overflow = details.overflow;
    this.retryAfterMs = details.retryAfterMs;
    this.param = details.param;
    this.faults = details.faults ?? [];
  }
}
