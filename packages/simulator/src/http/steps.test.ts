import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Step, sendSteps, stepsOf } from "./steps.ts";

const bytes = Buffer.from("x");
const head = { kind: "head", status: 200, headers: {} };
const write = { kind: "write", bytes };

it("sends immediately without a pace", () => {
  const steps = stepsOf({ status: 200, headers: {}, chunks: [bytes, bytes] }, { firstByteMs: 0, gapMs: 0 });
  expect(steps).toEqual([head, write, write, { kind: "end" }]);
});

it("waits before the status and between events", () => {
  const steps = stepsOf({ status: 200, headers: {}, chunks: [bytes, bytes] }, { firstByteMs: 50, gapMs: 10 });
  expect(steps).toEqual([{ kind: "wait", ms: 50 }, head, write, { kind: "wait", ms: 10 }, write, { kind: "end" }]);
});

it("has no gaps in a plain reply", () => {
  const headers = { "content-length": "2" };
  const steps = stepsOf({ status: 200, headers, chunks: [bytes, bytes] }, { firstByteMs: 0, gapMs: 10 });
  expect(steps.some(({ kind }) => kind === "wait")).toBe(false);
});

describe("sendSteps", () => {
  let server: Server | undefined;
  afterEach(() => server?.closeAllConnections());

  const head: Step = { kind: "head", status: 200, headers: {} };
  const write = (text: string): Step => ({ kind: "write", bytes: Buffer.from(text) });

  interface Outcome {
    readonly text: string;
    readonly error?: string;
  }

  /** Serves the steps once; `sent` resolves when the server has finished them. */
  async function serve(steps: readonly Step[], waits: number[] = []) {
    let done: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => {
      done = resolve;
    });
    const wait = async (ms: number) => {
      waits.push(ms);
    };
    server = createServer((_, response) => void sendSteps(response, steps, wait).then(done));
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", () => resolve()));
    const { port } = server.address() as AddressInfo;
    return { sent, port };
  }

  function read(port: number): Promise<Outcome> {
    return new Promise((resolve) => {
      let text = "";
      const fail = (error: NodeJS.ErrnoException) => resolve({ text, error: error.code ?? error.message });
      const call = request({ port, agent: false }, (response) => {
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString("latin1");
        });
        response.on("end", () => resolve({ text }));
        response.on("error", fail);
      });
      call.on("error", fail);
      call.end();
    });
  }

  it("sends in order and waits in between", async () => {
    const waits: number[] = [];
    const { port } = await serve(
      [{ kind: "wait", ms: 5 }, head, write("a"), { kind: "wait", ms: 7 }, write("b"), { kind: "end" }],
      waits,
    );
    expect(await read(port)).toEqual({ text: "ab" });
    expect(waits).toEqual([5, 7]);
  });

  it("resets before and after the status", async () => {
    const before = await serve([{ kind: "reset" }]);
    expect(await read(before.port)).toEqual({ text: "", error: "ECONNRESET" });
    const after = await serve([head, write("a"), { kind: "reset" }]);
    expect(await read(after.port)).toEqual({ text: "a", error: "ECONNRESET" });
  });

  it("closes before the end", async () => {
    const { port } = await serve([head, write("a"), { kind: "close" }]);
    expect(await read(port)).toMatchObject({ text: "a", error: expect.any(String) });
  });

  it("stops when the client leaves, also while it hangs or the client does not read", async () => {
    const big = write("x".repeat(1 << 20));
    for (const steps of [
      [head, write("a"), { kind: "hang" } as Step],
      [head, ...Array.from({ length: 64 }, () => big)],
    ]) {
      const { port, sent } = await serve(steps);
      const call = request({ port, agent: false }, (response: IncomingMessage) => {
        response.pause();
        call.destroy();
      });
      call.on("error", () => undefined);
      call.end();
      await sent;
    }
  });

  it("writes no faster than the client reads", async () => {
    const waits: number[] = [];
    const count = 64;
    const steps = Array.from({ length: count }, (_, ms): Step[] => [write("x".repeat(1 << 20)), { kind: "wait", ms }]);
    const { port } = await serve([head, ...steps.flat(), { kind: "end" }], waits);
    const response = await new Promise<IncomingMessage>((resolve) => request({ port, agent: false }, resolve).end());
    await until(() => waits.length);
    expect(waits.length).toBeLessThan(count);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    expect([bytes, waits.length]).toEqual([count << 20, count]);
  });

  /** Resolves when a number has stopped growing. */
  async function until(read: () => number): Promise<void> {
    for (let last = -1, quiet = 0; quiet < 20; quiet = read() === last ? quiet + 1 : 0) {
      last = read();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
});
