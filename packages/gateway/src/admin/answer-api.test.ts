import { expect, it } from "vitest";
import { openAdminGateway } from "../testing/admin.ts";

it("answers the first who asks, and those who ask at the same time", async () => {
  const admin = await openAdminGateway();
  const answers = await Promise.all(["/settings", "/nowhere"].map((path) => admin.ask("GET", path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  await admin.gateway.close();
});
