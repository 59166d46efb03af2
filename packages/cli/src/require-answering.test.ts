import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { requireAnswering } from "./require-answering.ts";

it("gives back an address at which somebody answers, and refuses it once nobody does", async () => {
  const server = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  expect(await requireAnswering(url, "--url")).toBe(url);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  await expect(requireAnswering(url, "--url")).rejects.toThrow(`no gateway answers at ${url}; start one with`);
});
