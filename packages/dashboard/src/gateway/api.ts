import { common } from "../strings/common.ts";

/** An error response of the admin API, or a failure to reach it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly faults: readonly Fault[];

  constructor(status: number, { code, message, faults = [] }: ErrorBody) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = faults;
  }
}

export interface Fault {
  readonly path: string;
  readonly message: string;
}

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly faults?: readonly Fault[];
}

/** A client of the admin API. Rejects with `ApiError`. */
export interface Api {
  get<T>(path: string, signal?: AbortSignal): Promise<T>;
  send<T>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<T>;
  /** Posts a body to a route that changes nothing. */
  post<T>(path: string, body: unknown, signal: AbortSignal): Promise<T>;
}

/** Makes a client of this page's own gateway. Calls `onSignedOut` when the gateway no longer accepts the cookie. */
export function makeApi(fetchFrom: typeof fetch, onSignedOut: () => void): Api {
  const ask = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetchFrom(`/api${path}`, init).catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
      throw new ApiError(0, { code: "gateway.unreachable", message: common.errors.unreachable });
    });
    const body = await readBody(response);
    if (response.status === 401) onSignedOut();
    if (!response.ok || !isAnswer<T>(body)) throw new ApiError(response.status, errorIn(body, response.status));
    return body;
  };
  return {
    get: (path, signal) => ask(path, signal === undefined ? {} : { signal }),
    send: (method, path, body) => ask(path, { method, headers: CHANGE_HEADERS, body: JSON.stringify(body ?? {}) }),
    post: (path, body, signal) =>
      ask(path, { method: "POST", headers: CHANGE_HEADERS, body: JSON.stringify(body), signal }),
  };
}

/** The gateway accepts a change by cookie only with a header that no form or link can send. */
const CHANGE_HEADERS = { "content-type": "application/json", "x-longhaul-admin": "1" };

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The gateway validates its own responses against the schemas that `T` comes from, so only a proxy's page is rejected here. */
function isAnswer<T>(body: unknown): body is T {
  return typeof body !== "string";
}

function errorIn(body: unknown, status: number): ErrorBody {
  if (typeof body === "object" && body !== null && "error" in body && isErrorBody(body.error)) return body.error;
  return { code: "gateway.unclear", message: common.errors.unreadable(status) };
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

/** Returns the one-time token in the fragment of the address that `longhaul start` prints. */
export function tokenIn(fragment: string): string | undefined {
  return /^#token=([\w.~-]+)$/.exec(fragment)?.[1];
}
