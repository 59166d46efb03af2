import { beforeEach, describe, expect, it } from "vitest";
import { type LiveFeed, openLiveFeed, type StreamHandlers } from "./live.ts";

describe("openLiveFeed", () => {
  let handlers: StreamHandlers;
  let live: LiveFeed;
  let later: (() => void)[];
  let calls: string[];
  beforeEach(() => {
    later = [];
    calls = [];
    live = openLiveFeed({
      connect: (_, given) => {
        handlers = given;
        return () => calls.push("closed");
      },
      later: (act) => void later.push(act),
    });
    live.listen(["request"], () => calls.push("request"));
    live.listen(["settings"], () => calls.push("settings"));
  });

  it("calls the listeners of a kind once for many events", () => {
    live.start(() => calls.push("refused"));
    for (let index = 0; index < 3; index++) handlers.onMessage('{"kind":"request"}');
    expect(calls).toEqual([]);
    pass();
    expect(calls).toEqual(["request"]);
  });

  it("delivers a later event separately", () => {
    live.start(() => calls.push("refused"));
    handlers.onMessage('{"kind":"request"}');
    pass();
    handlers.onMessage('{"kind":"settings"}');
    pass();
    expect(calls).toEqual(["request", "settings"]);
  });

  it.each(["", "{", "null", '{"kind":1}', '"request"'])("ignores %j", (data) => {
    live.start(() => calls.push("refused"));
    handlers.onMessage(data);
    pass();
    expect(calls).toEqual([]);
  });

  it("calls all listeners after a reconnect", () => {
    const seen: boolean[] = [];
    live.watch((isConnected) => seen.push(isConnected));
    live.start(() => calls.push("refused"));
    handlers.onLost();
    handlers.onLost();
    handlers.onOpen();
    pass();
    expect(seen).toEqual([true, false, true]);
    expect(calls).toEqual(["request", "settings"]);
  });

  it("stops watching, listening and receiving on request", () => {
    const seen: boolean[] = [];
    const unwatch = live.watch((isConnected) => seen.push(isConnected));
    const unlisten = live.listen(["request"], () => calls.push("second"));
    const end = live.start(() => calls.push("refused"));
    unwatch();
    unlisten();
    handlers.onLost();
    handlers.onMessage('{"kind":"request"}');
    pass();
    end();
    expect(seen).toEqual([true]);
    expect(calls).toEqual(["request", "closed"]);
  });

  function pass(): void {
    for (const act of later.splice(0)) act();
  }
});
