import type { ChangeKind } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import { type NewsKind, openNews } from "./news.ts";

describe("openNews", () => {
  it("tells those who listen of what happens here and elsewhere, until they stop", () => {
    const listeners: ((kind: ChangeKind) => void)[] = [];
    let isOpen = true;
    const news = openNews({
      listen: (onChange) => {
        listeners.push(onChange);
        return () => {
          isOpen = false;
        };
      },
    });
    const heard: NewsKind[] = [];
    const stop = news.listen((kind) => heard.push(kind));
    news.tell("request");
    listeners[0]?.("settings");
    stop();
    news.tell("condensation");
    expect(heard).toEqual(["request", "settings"]);
    news.close();
    expect(isOpen).toBe(false);
  });
});
