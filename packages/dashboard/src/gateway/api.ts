/** What the admin API refused, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong with single fields, by their path. */
  readonly faults: readonly Fault[];

  constructor(status: number, { code, message, faults = [] }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = faults;
  }
}

/** What is wrong with one field. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly faults?: readonly Fault[];
}

/** Asks the admin API. */
export interface Api {
  get<T>(path: string, signal?: AbortSignal): Promise<T>;
  send<T>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<T>;
}

/** An API at this page's own gateway. `onSignedOut` is told when it no longer knows us. */
export function makeApi(fetchFrom: typeof fetch, onSignedOut: () => void): Api {
  const ask = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetchFrom(`/api${path}`, init).catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
      throw new ApiError(0, UNREACHABLE);
    });
    const answer = await readAnswer(response);
    if (response.status === 401) onSignedOut();
    if (!response.ok) throw new ApiError(response.status, refusalIn(answer, response.status));
    if (!isAnswer<T>(answer)) throw new ApiError(response.status, refusalIn(answer, response.status));
    return answer;
  };
  return {
    get: (path, signal) => ask(path, signal === undefined ? {} : { signal }),
    send: (method, path, body) => ask(path, { method, headers: CHANGE_HEADERS, body: JSON.stringify(body ?? {}) }),
  };
}

/** The gateway takes a change by cookie only with a header that no form or link can send. */
const CHANGE_HEADERS = { "content-type": "application/json", "x-longhaul-admin": "1" };

const UNREACHABLE: Refusal = {
  code: "gateway.unreachable",
  message: "The gateway does not answer. Is it still running? This page tries again by itself.",
};

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The gateway that serves this page checks its answers against the schemas that `T` is made of. */
function isAnswer<T>(answer: unknown): answer is T {
  return typeof answer !== "string";
}

function refusalIn(answer: unknown, status: number): Refusal {
  if (typeof answer === "object" && answer !== null && "error" in answer && isRefusal(answer.error))
    return answer.error;
  return {
    code: "gateway.unclear",
    message: `The gateway answered with ${status} and nothing that this page can read.`,
  };
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

/** The one-time token that `longhaul start` prints in the fragment of its address. */
export function tokenIn(fragment: string): string | undefined {
  return /^#token=([\w.~-]+)$/.exec(fragment)?.[1];
}
