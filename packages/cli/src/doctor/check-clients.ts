import { isLoopback } from "@longhaul/settings";
import type { StoredKey } from "@longhaul/store";
import { hasActiveKey, keysOf } from "../connect/client-key.ts";
import { connectedClients } from "../connect/connected.ts";
import { isAnswering } from "../gateway/address.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { bad, type Finding, good, note } from "./finding.ts";

const NONE_REMEDY = "connect those on this machine with `longhaul setup`, or start one with `longhaul run <client>`";

/**
 * Finds clients whose settings point at a gateway that does not answer, or that send none of the keys that it requires: they get no answers.
 * Says if there are none. `required` are the gateway's keys, if it requires one.
 */
export async function checkClients(
  required: readonly StoredKey[] | undefined,
  terminal: Pick<Terminal, "environment">,
): Promise<Finding[]> {
  const connected = connectedClients(terminal);
  if (connected.length === 0) return [note("clients", "none is connected through its settings", NONE_REMEDY)];
  return Promise.all(
    connected.map(async ({ client, url }) => {
      const { id, name } = client;
      const what = `client ${id}`;
      if (!(await isAnswering(url))) {
        const back = `go back with \`longhaul connect ${id} --undo\``;
        return isLoopback(new URL(url).hostname)
          ? bad(
              what,
              `${name} points at ${url}, where no gateway is running`,
              `start it with \`longhaul start\`, or ${back}`,
            )
          : bad(
              what,
              `${name} points at ${url}, which does not answer`,
              `check the address and the network, or ${back}`,
            );
      }
      if (required === undefined || hasActiveKey(keysOf(client, terminal), { keys: required }))
        return good(what, `${name} is connected to ${url}`);
      const remedy = `give it one with \`longhaul connect ${id} --write\``;
      return bad(what, `${name} is connected to ${url}, but sends no valid API key: every request is rejected`, remedy);
    }),
  );
}
