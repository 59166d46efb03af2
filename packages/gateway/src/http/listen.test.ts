import { afterEach, describe, expect, it } from "vitest";
import { type Listener, listen } from "./listen.ts";

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
