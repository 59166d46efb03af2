import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Address } from "./address.ts";
import { closing } from "./closing.ts";

/** What a listening connection needs. */
export interface EarOptions {
  readonly address: Address;
  readonly channel: string;
  readonly onHeard: () => void;
  /** Says something on a channel, over another connection. */
  readonly say: (channel: string) => Promise<unknown>;
  /** How often it is made sure that it still hears. @default 10000 */
  readonly checkMs?: number;
}

/** A connection that hears what is said on a channel, as long as it can. */
export interface Ear {
  /** A pooler that hands connections out by transaction takes LISTEN and never passes anything on: only what was heard proves it. */
  readonly isHearing: () => boolean;
  close(): Promise<void>;
}

const CONNECT_MS = 1_800;
const RECONNECT_MS = 500;
const CHECK_MS = 10_000;

/** Begins to listen, and begins again whenever the connection is lost. */
export function openEar({ address, channel, onHeard, say, checkMs = CHECK_MS }: EarOptions): Ear {
  const echo = `${channel}_${randomUUID().replaceAll("-", "")}`;
  let isHearing = false;
  let isEchoDue = false;
  let isClosed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const later = (run: () => Promise<void>, ms: number) => {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => void run(), ms);
    timer.unref();
  };
  const hear = (heard: string) => {
    if (heard !== echo) return onHeard();
    isEchoDue = false;
    isHearing = true;
  };
  const check = async () => {
    if (isEchoDue) isHearing = false;
    isEchoDue = true;
    await say(echo).catch(() => {});
    later(check, checkMs);
  };
  const connect = async () => {
    client = listeningClient(address, hear, () => {
      isHearing = false;
      later(connect, RECONNECT_MS);
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}; listen ${echo}`);
      onHeard();
      await check();
    } catch {
      later(connect, RECONNECT_MS);
    }
  };
  void connect();
  return {
    isHearing: () => isHearing,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (client !== undefined) await closing(client.end());
    },
  };
}

function listeningClient({ config }: Address, hear: (channel: string) => void, onLost: () => void): Client {
  const client = new Client({ ...config, connectionTimeoutMillis: CONNECT_MS });
  client.on("notification", ({ channel }) => hear(channel));
  client.on("error", () => {});
  client.once("end", onLost);
  return client;
}
