import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as waitFor } from "node:timers/promises";
import type { Admin } from "@longhaul/admin";
import type { Scanner } from "@longhaul/fit";
import type { Snapshots } from "../configuration/snapshot.ts";
import type { Observer } from "../events/observer.ts";
import type { Access } from "../keys/access.ts";
import type { Memory } from "../memory/memory.ts";
import type { RequestContext } from "../request/request-context.ts";
import { makeRequestId, openRecord } from "../request/request-record.ts";
import type { PagesContext } from "./pages.ts";

/** Everything that the requests of one gateway share. */
export interface ServerContext extends PagesContext {
  /** @default there is no admin API */
  readonly admin?: Admin | undefined;
  readonly access: Access;
  readonly snapshots: Snapshots;
  readonly memory: Memory;
  readonly scanner: Scanner;
  /** @default no metrics and no events */
  readonly observing?: (PagesContext["observing"] & { readonly observer: Observer }) | undefined;
}

/** One HTTP request and its response, with the context that its stages share. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: RequestContext;
  readonly server: ServerContext;
  /** Runs a function when the exchange is closed. */
  onClose(act: () => void): void;
  close(): void;
}

/** Opens an exchange; until it is closed, a reload does not close the connections of its configuration. */
export function openExchange(request: IncomingMessage, response: ServerResponse, server: ServerContext): Exchange {
  const { access, memory, observing } = server;
  const { snapshot, leave } = server.snapshots.enter();
  const closers = [leave];
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const [traceparent] = [request.headers.traceparent].flat();
  const context: RequestContext = {
    snapshot,
    access,
    memory,
    record: openRecord(makeRequestId(), traceparent),
    observer: observing?.observer,
    signal: gone.signal,
    random: Math.random,
    wait: (ms, signal) => waitFor(ms, undefined, { signal }),
    nowSeconds: () => Math.floor(Date.now() / 1_000),
  };
  const close = () => {
    for (const act of closers) act();
  };
  return { request, response, context, server, onClose: (act) => void closers.push(act), close };
}
