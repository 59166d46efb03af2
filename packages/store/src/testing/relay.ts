import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can be cut without either side being told. */
export interface Relay {
  readonly port: number;
  /** From now on nothing goes through, and nobody hears of it. */
  hang(): void;
  close(): Promise<void>;
}

/** Opens a way to a port. */
export async function openRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isHanging = false;
  const relay = createServer((near) => {
    sockets.add(near.on("error", () => {}));
    if (isHanging) return;
    const far = connect(to, "127.0.0.1");
    sockets.add(far.on("error", () => {}));
    near.pipe(far).pipe(near);
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroy());
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const address = relay.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
      await once(relay, "close");
    },
  };
}
