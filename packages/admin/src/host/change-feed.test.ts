import type { ChangeKind } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import { type FeedKind, openChangeFeed } from "./change-feed.ts";

describe("openChangeFeed", () => {
  it("notifies listeners of local and remote changes until they unsubscribe", () => {
    const listeners: ((kind: ChangeKind) => void)[] = [];
    let isOpen = true;
    const feed = openChangeFeed({
      listen: (onChange) => {
        listeners.push(onChange);
        return () => {
          isOpen = false;
        };
      },
    });
    const received: FeedKind[] = [];
    const stop = feed.listen((kind) => received.push(kind));
    feed.publish("request");
    listeners[0]?.("settings");
    stop();
    feed.publish("condensation");
    expect(received).toEqual(["request", "settings"]);
    feed.close();
    expect(isOpen).toBe(false);
  });
});
