import { LonghaulError } from "@longhaul/conversation";

/** A part of a real store that can be made to fail or to hang. */
export interface Breakable<Part extends object> {
  readonly part: Part;
  /** How often it was called. */
  asked(): number;
  breakIt(how: "fails" | "hangs" | "works"): void;
}

/** Makes a part of a store breakable. */
export function makeBreakable<Part extends object>(part: Part): Breakable<Part> {
  let state: "fails" | "hangs" | "works" = "works";
  let asked = 0;
  const broken = new Proxy(part, {
    get: (target, name) => {
      asked += 1;
      if (state === "works") return Reflect.get(target, name);
      if (state === "hangs") return () => new Promise(() => {});
      return () => Promise.reject(new LonghaulError("store.unavailable", "the database is down"));
    },
  });
  return { part: broken, asked: () => asked, breakIt: (how) => (state = how) };
}
