import { describe, expect, it } from "vitest";
import { type FlowSource, makeFlow } from "./flow.ts";

function makeSource(): FlowSource & { readonly calls: string[] } {
  const calls: string[] = [];
  let paused = false;
  const turn = (to: boolean) => {
    paused = to;
    calls.push(to ? "pause" : "resume");
  };
  return {
    calls,
    get paused() {
      return paused;
    },
    pause: () => turn(true),
    resume: () => turn(false),
    abort: () => void calls.push("abort"),
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of body) text += new TextDecoder().decode(chunk);
  return text;
}

describe("makeFlow", () => {
  it("returns chunks in order, whether pushed before or after the reader starts", async () => {
    const { push, end, body } = makeFlow(makeSource());
    push(bytes("a"));
    push(bytes("b"));
    const text = textOf(body);
    await Promise.resolve();
    push(bytes("c"));
    setImmediate(() => {
      push(bytes("d"));
      end();
    });
    expect(await text).toBe("abcd");
  });

  it("ends at once if nothing is pushed", async () => {
    const { end, body } = makeFlow(makeSource());
    end();
    expect(await textOf(body)).toBe("");
  });

  it("returns all chunks before an error, then throws it", async () => {
    const { push, end, body } = makeFlow(makeSource());
    push(bytes("a"));
    end(new Error("reset"));
    expect((await body.next()).value).toEqual(bytes("a"));
    await expect(body.next()).rejects.toThrow("reset");
  });

  it("pauses the source while too much is unread, and resumes it afterwards", async () => {
    const source = makeSource();
    const { push, body } = makeFlow(source);
    push(new Uint8Array(64 * 1024));
    expect(source.calls).toEqual([]);
    push(bytes("x"));
    expect(source.calls).toEqual(["pause"]);
    await body.next();
    expect(source.calls).toEqual(["pause", "resume"]);
  });

  it("aborts a source that is not read to its end, and no other", async () => {
    const left = makeSource();
    const flow = makeFlow(left);
    flow.push(bytes("a"));
    for await (const _ of flow.body) break;
    const read = makeSource();
    const whole = makeFlow(read);
    whole.end();
    await textOf(whole.body);
    expect([left.calls, read.calls]).toEqual([["abort"], []]);
  });
});
