import { describe, expect, it } from "vitest";
import { collect } from "./collect.ts";

const tooLarge = () => new Error("too large");

/** A stream of texts that tells which of them were read. */
function streamOf(texts: readonly string[]) {
  const read: string[] = [];
  async function* stream() {
    for (const text of texts) {
      read.push(text);
      yield new TextEncoder().encode(text);
    }
  }
  return { stream: stream(), read };
}

describe("collect", () => {
  it.each([[[]], [["one"]], [["one", "", "two"]]])("joins %j", async (texts) => {
    const whole = texts.join("");
    expect(`${await collect(streamOf(texts).stream, whole.length, tooLarge)}`).toBe(whole);
  });

  it("copies nothing of what comes in one piece", async () => {
    const piece = new Uint8Array(8).subarray(2, 5);
    const whole = await collect(
      (async function* () {
        yield piece;
      })(),
      3,
      tooLarge,
    );
    expect([whole.buffer === piece.buffer, whole.byteOffset, whole.length]).toEqual([true, 2, 3]);
  });

  it("stops at the limit, and reads no further", async () => {
    const { stream, read } = streamOf(["one", "two", "three"]);
    await expect(collect(stream, 5, tooLarge)).rejects.toThrow("too large");
    expect(read).toEqual(["one", "two"]);
  });
});
