import { table } from "./values/json.ts";

/** What an error code means to a client: the status it gets, and whether the same request may succeed later. */
interface ErrorKind {
  readonly status: number;
  readonly retryable: boolean;
}

/** Every error that Longhaul can give. The first word says where the cause lies; `docs/errors.md` explains each. */
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
} as const satisfies Record<string, ErrorKind>);

/** One of the codes in `ERROR_CODES`. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** How far a request was over the model's context window, as far as anybody said so. */
export interface Overflow {
  /** Tokens of the prompt. */
  readonly actualTokens?: number;
  /** What the window holds. */
  readonly limitTokens?: number;
  /** Tokens that the request reserved for the reply, where the refusal counts them in. */
  readonly outputTokens?: number;
  /** What of it is too large and what to do, in our own words; formats say it after the words that clients look for. */
  readonly advice?: string;
}

/** What is wrong with one field, such as `context.threshold`. */
export interface ErrorFault {
  readonly path: string;
  readonly message: string;
}

/** What is known of an error besides its code and message. */
export interface ErrorDetails {
  readonly cause?: unknown;
  /** Overrides the table's where an upstream's own status is passed on. */
  readonly status?: number;
  /** Set where the model's context window is what the request did not fit. */
  readonly overflow?: Overflow;
  /** How long to wait before the same request may succeed, where the refusal says so. */
  readonly retryAfterMs?: number;
  /** The field of the request that is at fault, where one is. */
  readonly param?: string;
  /** Every field that is at fault, where several may be. */
  readonly faults?: readonly ErrorFault[];
}

/** The one error class. Its message says what is wrong, with which value, and what to do about it. */
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
