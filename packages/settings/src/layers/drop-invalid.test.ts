import { describe, expect, it } from "vitest";
import { dropInvalid } from "./drop-invalid.ts";
import type { Fault } from "./validate-config.ts";

interface Entry {
  readonly path: readonly string[];
}

const entries: readonly Entry[] = [
  ["log", "level"],
  ["upstreams", "a", "kind"],
  ["upstreams", "b", "kind"],
].map((path) => ({ path }));
const names = (kept: readonly Entry[]) => kept.map(({ path }) => path.join("."));
const without = (name: string, fault: Fault) => (kept: readonly Entry[]) => (names(kept).includes(name) ? [fault] : []);

describe("dropInvalid", () => {
  it("keeps everything without a fault", () => {
    expect(dropInvalid(entries, () => [])).toEqual({ kept: entries, leftOut: [] });
  });

  it.each([
    ["is at the fault's path", { path: ["log", "level", "x"], message: "bad" }, "log.level"],
    ["alone causes the fault", { path: [], message: "bad" }, "upstreams.a.kind"],
  ])("drops the entry that %s", (_, fault, name) => {
    const { kept, leftOut } = dropInvalid(entries, without(name, fault));
    expect(names(kept)).toEqual(names(entries).filter((each) => each !== name));
    expect(leftOut).toEqual([{ entry: { path: name.split(".") }, why: "bad" }]);
  });

  it("drops entries of the same section, with the path of the fault", () => {
    const at = ["upstreams", "b", "baseUrl"];
    const { kept, leftOut } = dropInvalid(entries, without("upstreams.b.kind", { path: at, message: "bad" }));
    expect(names(kept)).toEqual(["log.level", "upstreams.a.kind"]);
    expect(leftOut).toEqual([{ entry: { path: ["upstreams", "b", "kind"] }, why: "bad", at }]);
  });

  it("drops everything if nothing else helps", () => {
    const { kept, leftOut } = dropInvalid(entries, (left) => (left.length > 0 ? [{ path: [], message: "bad" }] : []));
    expect([kept, leftOut.length]).toEqual([[], 3]);
  });
});
