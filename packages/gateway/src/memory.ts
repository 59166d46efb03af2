import { hash } from "node:crypto";
import { makeTokenCounters, type TokenCounters } from "@longhaul/models";
import { type KeptResponses, makeKeptResponses } from "./kept-responses.ts";

/** What is remembered from one request to the next, whatever the configuration. */
export interface Memory {
  readonly counters: TokenCounters;
  readonly responses: KeptResponses;
}

/** Opens an empty memory. */
export function openMemory(nowMs: () => number): Memory {
  return {
    counters: makeTokenCounters({ hash: (text) => hash("sha256", text) }),
    responses: makeKeptResponses({ nowMs }),
  };
}
