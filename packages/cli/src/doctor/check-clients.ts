import { connectedClients } from "../connect/connected.ts";
import { isAnswering } from "../gateway/address.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { bad, type Finding, good } from "./finding.ts";

/** Finds clients whose settings point at a gateway that does not answer: they get no answers until it runs again. */
export async function checkClients(terminal: Pick<Terminal, "environment">): Promise<Finding[]> {
  return Promise.all(
    connectedClients(terminal).map(async ({ client: { id, name }, url }) => {
      const what = `client ${id}`;
      if (await isAnswering(url)) return good(what, `${name} is connected to ${url}`);
      const remedy = `start the gateway with \`longhaul start\`, or go back with \`longhaul connect ${id} --undo\``;
      return bad(what, `${name} points at ${url}, where no gateway is running`, remedy);
    }),
  );
}
