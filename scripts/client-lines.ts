import { CLIENTS } from "../packages/cli/src/connect/clients.ts";
import { shortLines } from "../packages/cli/src/connect/describe-client.ts";

/** What the dashboard shows of each client, as JSON. `{url}` stays for the gateway's address. */
export function clientLines(): string {
  const filling = { url: "{url}", model: "claude-sonnet-4-5" };
  return `${JSON.stringify(
    CLIENTS.map((client) => shortLines(client, filling)),
    null,
    2,
  )}\n`;
}
