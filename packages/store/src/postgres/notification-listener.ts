import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Address } from "./address.ts";
import { closing } from "./liveness.ts";

/** What a listening connection needs. */
interface NotificationListenerOptions {
  readonly address: Address;
  readonly channel: string;
  readonly onHeard: () => void;
  /** Says something on a channel, over another connection. */
  readonly say: (channel: string) => Promise<unknown>;
  /** How often it is made sure that it still hears. @default 10000 */
  readonly checkMs?: number;
}

const CONNECT_MS = 1_800;
const RECONNECT_MS = 500;
const CHECK_MS = 10_000;

/** A connection that hears what is said on a channel, as long as it can. It begins again whenever it is lost. */
export class NotificationListener {
  readonly #options: NotificationListenerOptions;
  /** A channel of its own, on which it hears itself. */
  readonly #echo: string;
  #client: Client | undefined;
  #isHearing = false;
  #isEchoDue = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NotificationListenerOptions) {
    this.#options = options;
    this.#echo = `${options.channel}_${randomUUID().replaceAll("-", "")}`;
    void this.#connect();
  }

  /** A pooler that hands connections out by transaction takes LISTEN and never passes anything on: only what was heard proves it. */
  get isHearing(): boolean {
    return this.#isHearing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#client !== undefined) await closing(this.#client.end());
  }

  async #connect(): Promise<void> {
    const { address, channel, onHeard } = this.#options;
    const client = new Client({ ...address.config, connectionTimeoutMillis: CONNECT_MS });
    this.#client = client;
    client.on("notification", (heard) => this.#hear(heard.channel));
    client.on("error", () => {});
    client.once("end", () => this.#lose(client));
    try {
      await client.connect();
      await client.query(`listen ${channel}; listen ${this.#echo}`);
      onHeard();
      await this.#check(client);
    } catch {
      this.#lose(client);
    }
  }

  #hear(channel: string): void {
    if (channel === this.#echo) {
      this.#isEchoDue = false;
      this.#isHearing = true;
    } else this.#options.onHeard();
  }

  async #check(client: Client): Promise<void> {
    // One that has never heard anything is left alone: it would be no better the next time.
    if (this.#isEchoDue && this.#isHearing) return this.#lose(client);
    this.#isEchoDue = true;
    await this.#options.say(this.#echo).catch(() => {});
    if (client === this.#client) this.#later(() => this.#check(client), this.#options.checkMs ?? CHECK_MS);
  }

  #lose(client: Client): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    this.#isHearing = false;
    this.#isEchoDue = false;
    void closing(client.end());
    this.#later(() => this.#connect(), RECONNECT_MS);
  }

  #later(run: () => Promise<void>, ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void run(), ms);
    this.#timer.unref();
  }
}
