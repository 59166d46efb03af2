import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { type Listener, listen } from "./listen.ts";
import { readBody } from "./read-body.ts";

describe("listen", () => {
  const open: Listener[] = [];
  afterEach(async () => {
    for (const listener of open.splice(0)) await listener.close();
  });

  it("accepts connections until it is closed", async () => {
    const listener = await listen((_, response) => void response.end("here"), { host: "127.0.0.1", port: 0 });
    open.push(listener);
    expect(await (await fetch(listener.url)).text()).toBe("here");
    await listener.close();
    await expect(fetch(listener.url)).rejects.toThrow();
  });

  it("closes a connection with an endless answer", async () => {
    const listener = await listen((_, response) => void response.write("on and"), { host: "127.0.0.1", port: 0 });
    const response = await fetch(listener.url);
    await listener.close();
    await expect(response.text()).rejects.toThrow();
  });

  it("keeps no request and no body in memory for a connection that stays open", async () => {
    const kept: WeakRef<object>[] = [];
    const listener = await listen((incoming, response) => {
      void readBody(incoming, { limitBytes: LARGE }).then((body) => {
        kept.push(new WeakRef(incoming), new WeakRef(body));
        response.end(`${body.length}`);
      });
    }, LOCAL_FREE);
    open.push(listener);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await post(listener.url, agent)).toBe(`${LARGE}`);
    // The connection is idle once its agent has it back.
    await expect.poll(() => Object.values(agent.freeSockets).flat().length).toBe(1);
    collectGarbage();
    expect(kept.map((each) => each.deref()?.constructor.name)).toEqual([undefined, undefined]);
    agent.destroy();
  });

  it("lets a client finish a rejected body that it sent directly after another one", async () => {
    const listener = await listen((incoming, response) => {
      const limitBytes = incoming.url === "/rejected" ? 1 : LARGE;
      void readBody(incoming, { limitBytes }).then(
        () => response.end("read"),
        () => response.end("rejected"),
      );
    }, LOCAL_FREE);
    open.push(listener);
    const head = (path: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${LARGE}\r\n\r\n`;
    const body = Buffer.alloc(LARGE, "x");
    const client = connect({ host: "127.0.0.1", port: Number(new URL(listener.url).port), allowHalfOpen: true });
    client.write(Buffer.concat([Buffer.from(head("/read")), body, Buffer.from(head("/rejected"))]));
    expect(await text(client)).toMatch(/read.*rejected/s);
    client.end(body);
    await expect(once(client, "close")).resolves.toEqual([false]);
  });

  it("explains what to do if another program uses the port", async () => {
    const listener = await listen(() => {}, { host: "127.0.0.1", port: 0 });
    open.push(listener);
    const { port } = new URL(listener.url);
    await expect(listen(() => {}, { host: "127.0.0.1", port: Number(port) })).rejects.toMatchObject({
      code: "settings.invalid",
      message: `cannot listen on 127.0.0.1:${port}: another program uses this port; choose another one with --port or PORT`,
    });
  });

  it.skipIf(process.platform !== "linux")(
    "shares a port only with listeners that share it too (Linux only)",
    async () => {
      const first = await listen((_, response) => void response.end("one"), { ...LOCAL, port: 0, isShared: true });
      const port = Number(new URL(first.url).port);
      const second = await listen((_, response) => void response.end("two"), { ...LOCAL, port, isShared: true });
      open.push(first, second);
      expect(second.url).toBe(first.url);
      await expect(listen(() => {}, { ...LOCAL, port })).rejects.toMatchObject({ code: "settings.invalid" });
      await second.close();
      expect(await (await fetch(first.url)).text()).toBe("one");
    },
  );
});

const LOCAL = { host: "127.0.0.1" };
const LOCAL_FREE = { ...LOCAL, port: 0 };
const LARGE = 3_000_000;

function post(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: "POST", agent, headers: { "content-length": LARGE } }, (incoming) =>
      text(incoming).then(resolve, reject),
    );
    outgoing.on("error", reject).end(Buffer.alloc(LARGE, "x"));
  });
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
