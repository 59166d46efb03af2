import { afterEach, describe, expect, it } from "vitest";
import { ADMIN_TOKEN, type AdminGateway, openAdminGateway } from "../testing/admin.ts";

describe("the stream of news", () => {
  let opened: AdminGateway;
  afterEach(() => opened.gateway.close());

  it("tells of a change as it happens, and ends with the client", async () => {
    opened = await openAdminGateway();
    const leaving = new AbortController();
    const response = await fetch(`${opened.gateway.adminUrl}/api/stream`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      signal: leaving.signal,
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const heard = readUntil(response, '{"kind":"settings"}');
    await opened.gateway.settings.change({ entries: [{ path: "context.strategy", value: "lossless" }], by: "test" });
    expect(await heard).toContain('data: {"kind":"settings"}\n\n');
    leaving.abort();
  });

  it("is for admins", async () => {
    opened = await openAdminGateway();
    expect((await fetch(`${opened.gateway.adminUrl}/api/stream`)).status).toBe(401);
  });
});

async function readUntil(response: Response, wanted: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(wanted)) return text;
  }
  return text;
}
