import { existsSync } from "node:fs";
import { STRATEGIES } from "@longhaul/condense";
import { expect, it } from "vitest";
import { openAdminGateway } from "../testing/admin.ts";

it("lists every strategy with its schema, its defaults and a page that is there", async () => {
  const { gateway, ask } = await openAdminGateway();
  const { body } = await ask("GET", "/strategies");
  await gateway.close();
  expect(body.strategies.map(({ id }: { id: string }) => id)).toEqual(STRATEGIES.map(({ id }) => id));
  for (const { docs, schema } of body.strategies) {
    expect(existsSync(new URL(`../../../..${docs.replace(".html", ".md")}`, import.meta.url))).toBe(true);
    expect(schema).toMatchObject({ type: "object", properties: expect.anything() });
  }
  expect(body.strategies.find(({ id }: { id: string }) => id === "sandwich")).toMatchObject({
    thresholdPercent: 70,
    capabilities: { summarizes: true },
    defaults: { preserveTop: 5, preserveBottom: 5 },
  });
});
