import type { Dispatcher } from "undici";
import { type Flow, makeFlow } from "./flow.ts";
import type { Prepared } from "./upstream.ts";

/** An answer as it comes from the network. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends a request and resolves when its answer begins; aborting the signal ends it at any time. Undici's own `request` puts a stream between
 * socket and reader, which costs a tenth of a small request.
 */
export function dispatch(dispatcher: Dispatcher, prepared: Prepared, signal: AbortSignal): Promise<RawAnswer> {
  const { url, method, headers, body = null } = prepared;
  const { origin, pathname, search } = new URL(url);
  const options = { origin, path: pathname + search, method, headers, body };
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, makeHandler(signal, { resolve, reject }));
  });
}

interface Settle {
  resolve(answer: RawAnswer): void;
  reject(error: Error): void;
}

function makeHandler(signal: AbortSignal, { resolve, reject }: Settle): Dispatcher.DispatchHandler {
  let flow: Flow | undefined;
  let abort = () => {};
  return {
    onRequestStart: (controller) => {
      abort = () => controller.abort(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort);
    },
    onResponseStart: (controller, status, headers) => {
      if (status < 200) return;
      flow = makeFlow(controller);
      resolve({ status, headers: flatHeaders(headers), body: flow.body });
    },
    onResponseData: (_, chunk) => flow?.push(chunk),
    onResponseEnd: () => {
      signal.removeEventListener("abort", abort);
      flow?.end();
    },
    onResponseError: (_, error) => {
      signal.removeEventListener("abort", abort);
      flow?.end(error);
      reject(error);
    },
  };
}

function flatHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === "string" ? value : value.join(", ");
  }
  return flat;
}
