import { LruMap } from "@longhaul/conversation/advanced";
import type { Dispatcher } from "undici";
import { flatHeaders } from "../requests/headers.ts";
import type { Prepared } from "../requests/upstream.ts";
import { type Flow, makeFlow } from "./flow.ts";

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface DispatchContext {
  readonly signal: AbortSignal;
  /** Returns the error for the reader. `hasBegun` is true if the head of the answer had arrived. */
  readonly explain: (error: Error, hasBegun: boolean) => Error;
}

/** Resolves when the answer begins. Undici's own `request` takes 46 µs of CPU time for a small request, this 36 µs. */
export function dispatch(dispatcher: Dispatcher, prepared: Prepared, context: DispatchContext): Promise<RawAnswer> {
  const { url, method, headers, body = null } = prepared;
  const options = { ...addressOf(url), method, headers: { ...PLAIN, ...headers }, body };
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, makeHandler(context, { resolve, reject }));
  });
}

interface Address {
  readonly origin: string;
  readonly path: string;
}

const addresses = new LruMap<Address>(100);

/** Caches parsed URLs: most requests go to a few addresses, and parsing one takes as long as all other preparations. */
function addressOf(url: string): Address {
  const known = addresses.get(url);
  if (known !== undefined) return known;
  const { origin, pathname, search } = new URL(url);
  const address = { origin, path: pathname + search };
  addresses.set(url, address);
  return address;
}

/** Compressing an event stream delays its events. Answers that are compressed anyway are decompressed. */
const PLAIN = { "accept-encoding": "identity" };

interface Settle {
  resolve(answer: RawAnswer): void;
  reject(error: Error): void;
}

function makeHandler({ signal, explain }: DispatchContext, { resolve, reject }: Settle): Dispatcher.DispatchHandler {
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
      const explained = explain(error, flow !== undefined);
      flow?.end(explained);
      // An aborted request rejects with the abort's own reason.
      reject(signal.aborted ? error : explained);
    },
  };
}
