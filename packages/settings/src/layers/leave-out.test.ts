import { describe, expect, it } from "vitest";
import type { Fault } from "./judge-config.ts";
import { leaveOut } from "./leave-out.ts";

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

describe("leaveOut", () => {
  it("keeps all where nothing is wrong", () => {
    expect(leaveOut(entries, () => [])).toEqual({ kept: entries, leftOut: [] });
  });

  it.each([
    ["stands there", { path: ["log", "level", "x"], message: "bad" }, "log.level"],
    ["alone makes it wrong", { path: [], message: "bad" }, "upstreams.a.kind"],
  ])("leaves out what %s", (_, fault, name) => {
    const { kept, leftOut } = leaveOut(entries, without(name, fault));
    expect(names(kept)).toEqual(names(entries).filter((each) => each !== name));
    expect(leftOut).toEqual([{ entry: { path: name.split(".") }, why: "bad" }]);
  });

  it("leaves out what belongs to the same thing, and says where that is wrong", () => {
    const at = ["upstreams", "b", "baseUrl"];
    const { kept, leftOut } = leaveOut(entries, without("upstreams.b.kind", { path: at, message: "bad" }));
    expect(names(kept)).toEqual(["log.level", "upstreams.a.kind"]);
    expect(leftOut).toEqual([{ entry: { path: ["upstreams", "b", "kind"] }, why: "bad", at }]);
  });

  it("leaves out everything where nothing else helps", () => {
    const { kept, leftOut } = leaveOut(entries, (left) => (left.length > 0 ? [{ path: [], message: "bad" }] : []));
    expect([kept, leftOut.length]).toEqual([[], 3]);
  });
});
