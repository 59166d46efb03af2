import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { Client } from "pg";
import type { Changes } from "../contract/coordination.ts";
import { watchRevisions } from "../sql/coordination.ts";
import type { Database, Tables } from "../sql/tables.ts";
import type { Address } from "./address.ts";
import { closeWithTimeout } from "./liveness.ts";

const CHANNEL = "longhaul_changes";
/** Without notifications, polling is the only way to see changes. */
const POLL_MS = 500;
const RECEIVING_POLL_MS = 10_000;

export interface PostgresChanges extends Changes {
  close(): Promise<void>;
}

/** Announces a change; listeners are notified when the transaction commits. */
export async function notify(transaction: Transaction<Tables>): Promise<void> {
  await sendNotification(transaction, CHANNEL);
}

/** Watches for changes by notification if possible, else by polling. The listening connection is opened for the first listener. */
export async function openChanges(database: Database, address: Address): Promise<PostgresChanges> {
  let listener: NotificationListener | undefined;
  const watch = await watchRevisions(database, () => (listener?.isReceiving ? RECEIVING_POLL_MS : POLL_MS));
  return {
    listen(onChange) {
      listener ??= new NotificationListener({
        address,
        channel: CHANNEL,
        onNotification: () => void watch.poll(),
        notify: (channel) => sendNotification(database, channel),
      });
      return watch.listen(onChange);
    },
    poll: watch.poll,
    async close() {
      watch.close();
      await listener?.close();
    },
  };
}

async function sendNotification(database: Database, channel: string): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(database);
}

interface NotificationListenerOptions {
  readonly address: Address;
  readonly channel: string;
  readonly onNotification: () => void;
  /** Sends a notification to a channel over another connection. */
  readonly notify: (channel: string) => Promise<unknown>;
  /** How often to check that notifications still arrive. @default 10000 */
  readonly checkMs?: number;
}

const CONNECT_MS = 1_800;
const RECONNECT_MS = 500;
const CHECK_MS = 10_000;

export class NotificationListener {
  readonly #options: NotificationListenerOptions;
  /** The listener's own channel, for testing that notifications arrive. */
  readonly #echo: string;
  #client: Client | undefined;
  #isReceiving = false;
  #isEchoPending = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NotificationListenerOptions) {
    this.#options = options;
    this.#echo = `${options.channel}_${randomUUID().replaceAll("-", "")}`;
    void this.#connect();
  }

  /** Whether notifications arrive. A transaction pooler accepts LISTEN but delivers nothing, so only a received notification proves it. */
  get isReceiving(): boolean {
    return this.#isReceiving;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#client !== undefined) await closeWithTimeout(this.#client.end());
  }

  async #connect(): Promise<void> {
    const { address, channel, onNotification } = this.#options;
    const client = new Client({ ...address.config, connectionTimeoutMillis: CONNECT_MS });
    this.#client = client;
    client.on("notification", (notification) => this.#receive(notification.channel));
    client.on("error", () => {});
    client.once("end", () => this.#reconnect(client));
    try {
      await client.connect();
      await client.query(`listen ${channel}; listen ${this.#echo}`);
      onNotification();
      await this.#check(client);
    } catch {
      this.#reconnect(client);
    }
  }

  #receive(channel: string): void {
    if (channel === this.#echo) {
      this.#isEchoPending = false;
      this.#isReceiving = true;
    } else this.#options.onNotification();
  }

  async #check(client: Client): Promise<void> {
    // If no echo ever arrived, a new connection would not help.
    if (this.#isEchoPending && this.#isReceiving) return this.#reconnect(client);
    this.#isEchoPending = true;
    await this.#options.notify(this.#echo).catch(() => {});
    if (client === this.#client) this.#schedule(() => this.#check(client), this.#options.checkMs ?? CHECK_MS);
  }

  #reconnect(client: Client): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    this.#isReceiving = false;
    this.#isEchoPending = false;
    void closeWithTimeout(client.end());
    this.#schedule(() => this.#connect(), RECONNECT_MS);
  }

  #schedule(run: () => Promise<void>, ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void run(), ms);
    this.#timer.unref();
  }
}
