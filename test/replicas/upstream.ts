import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { openSimulator } from "@longhaul/simulator";
import { MODEL, SUMMARY_SIGN } from "../context/rig.ts";
import { forward } from "./balancer.ts";

/** A simulator that records the bytes of its requests, and can hold its responses. */
export interface Upstream {
  readonly url: string;
  /** The bodies of summary requests. */
  asks(): readonly string[];
  /** All other bodies. */
  turns(): readonly string[];
  /** Holds responses to new requests, or only to summary requests, until the returned function is called. */
  hold(what: "asks" | "all"): () => void;
  close(): Promise<void>;
}

const SUMMARY = "say They spoke of harbours, lanterns and the meadow behind the orchard.";

function isAskIn(texts: readonly string[]): boolean {
  return texts.join("\n").includes(SUMMARY_SIGN);
}

/** Opens one whose model has a small window. */
export async function openUpstream(windowTokens = 4_000): Promise<Upstream> {
  const simulator = await openSimulator({
    models: { [MODEL]: { window: windowTokens, maxOutput: 1_000 } },
    script: ({ turns: messages }) => (isAskIn(messages.at(-1)?.texts ?? []) ? SUMMARY : "say Noted."),
  });
  const [asks, turns]: [string[], string[]] = [[], []];
  let holding: { what: "asks" | "all"; over: Promise<void> } | undefined;
  const held = async (request: IncomingMessage) => {
    const body = await buffer(request);
    const isAsk = body.includes(SUMMARY_SIGN);
    (isAsk ? asks : turns).push(body.toString());
    if (holding?.what === "all" || isAsk) await holding?.over;
    return body;
  };
  const server = createServer(async (request, response) => {
    const body = await held(request);
    if (!response.destroyed) forward({ url: simulator.url, request, response, body });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asks: () => asks,
    turns: () => turns,
    hold: (what) => {
      const { promise: over, resolve } = Promise.withResolvers<void>();
      holding = { what, over };
      return () => {
        holding = undefined;
        resolve();
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await simulator.close();
    },
  };
}

/** The messages of a body that was sent upstream, byte for byte. */
export function messagesIn(body: string): readonly string[] {
  const { messages }: { messages: readonly object[] } = JSON.parse(body);
  return messages.map((message) => JSON.stringify(message));
}
