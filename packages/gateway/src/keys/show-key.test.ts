import { expect, it } from "vitest";
import { makeKey } from "./make-key.ts";
import { showKey } from "./show-key.ts";

it("tells of a key what it has used, and not what it is found by", async () => {
  const { stored } = makeKey({ name: "laptop", createdAtMs: 1 });
  const used = { requestsThisMinute: 1, underWay: 0, usdToday: 2, usdThisMonth: 3 };
  const shown = await showKey(
    stored,
    { used: async (id, nowMs) => ({ ...used, usdToday: id === stored.id ? nowMs : 0 }) },
    7,
  );
  expect(shown).toMatchObject({ id: stored.id, name: "laptop", used: { ...used, usdToday: 7 } });
  expect(shown).not.toHaveProperty("hash");
});
