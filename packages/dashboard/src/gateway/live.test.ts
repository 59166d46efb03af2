import { beforeEach, describe, expect, it } from "vitest";
import { type LiveFeed, openLiveFeed, type StreamHandlers } from "./live.ts";

describe("openLive", () => {
  let hearing: StreamHandlers;
  let live: LiveFeed;
  let later: (() => void)[];
  let heard: string[];
  beforeEach(() => {
    later = [];
    heard = [];
    live = openLiveFeed({
      connect: (_, given) => {
        hearing = given;
        return () => heard.push("closed");
      },
      later: (act) => void later.push(act),
    });
    live.listen(["request"], () => heard.push("request"));
    live.listen(["settings"], () => heard.push("settings"));
  });

  it("tells those who asked, once for many", () => {
    live.start(() => heard.push("refused"));
    for (let index = 0; index < 3; index++) hearing.onMessage('{"kind":"request"}');
    expect(heard).toEqual([]);
    pass();
    expect(heard).toEqual(["request"]);
  });

  it("tells what comes later later", () => {
    live.start(() => heard.push("refused"));
    hearing.onMessage('{"kind":"request"}');
    pass();
    hearing.onMessage('{"kind":"settings"}');
    pass();
    expect(heard).toEqual(["request", "settings"]);
  });

  it.each(["", "{", "null", '{"kind":1}', '"request"'])("ignores %j", (data) => {
    live.start(() => heard.push("refused"));
    hearing.onMessage(data);
    pass();
    expect(heard).toEqual([]);
  });

  it("tells everybody once the gateway is back", () => {
    const seen: boolean[] = [];
    live.watch((isThere) => seen.push(isThere));
    live.start(() => heard.push("refused"));
    hearing.onLost();
    hearing.onLost();
    hearing.onOpen();
    pass();
    expect(seen).toEqual([true, false, true]);
    expect(heard).toEqual(["request", "settings"]);
  });

  it("stops when it is told to", () => {
    const seen: boolean[] = [];
    const unwatch = live.watch((isThere) => seen.push(isThere));
    const unlisten = live.listen(["request"], () => heard.push("second"));
    const end = live.start(() => heard.push("refused"));
    unwatch();
    unlisten();
    hearing.onLost();
    hearing.onMessage('{"kind":"request"}');
    pass();
    end();
    expect(seen).toEqual([true]);
    expect(heard).toEqual(["request", "closed"]);
  });

  function pass(): void {
    for (const act of later.splice(0)) act();
  }
});
