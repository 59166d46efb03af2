import { connectedClients } from "../connect/connected.ts";
import { isAnswering } from "../gateway/address.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { bad, type Finding, good, note } from "./finding.ts";

const NONE_REMEDY = "connect those on this machine with `longhaul setup`, or start one with `longhaul run <client>`";

/** Finds clients whose settings point at a gateway that does not answer: they get no answers until it runs again. Says if there are none. */
export async function checkClients(terminal: Pick<Terminal, "environment">): Promise<Finding[]> {
  const connected = connectedClients(terminal);
  if (connected.length === 0) return [note("clients", "none is connected through its settings", NONE_REMEDY)];
  return Promise.all(
    connected.map(async ({ client: { id, name }, url }) => {
      const what = `client ${id}`;
      if (await isAnswering(url)) return good(what, `${name} is connected to ${url}`);
      const remedy = `start the gateway with \`longhaul start\`, or go back with \`longhaul connect ${id} --undo\``;
      return bad(what, `${name} points at ${url}, where no gateway is running`, remedy);
    }),
  );
}
