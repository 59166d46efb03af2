import { hash } from "node:crypto";
import { makeTokenCounters, type TokenCounters } from "@longhaul/models";

/** What is remembered from one request to the next, whatever the configuration. */
export interface Memory {
  readonly counters: TokenCounters;
}

/** Opens an empty memory. */
export function openMemory(): Memory {
  return { counters: makeTokenCounters({ hash: (text) => hash("sha256", text) }) };
}
