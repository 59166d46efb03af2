import { describeDeleted, describeReleased, releasedKeys, writeWithKeys } from "../connect/client-key.ts";
import { CLIENTS } from "../connect/clients.ts";
import { applyChange, describeChange, isChange } from "../connect/describe-change.ts";
import { planUndo } from "../connect/settings-file.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { autostartFor, planAutostartUndo, runAll } from "./autostart.ts";

/** Restores the settings of all clients that `setup` or `connect` changed, deletes the API keys that these clients got, and removes the autostart. */
export async function undoSetup({ yes }: { readonly yes?: true }, terminal: Terminal): Promise<void> {
  const autostart = autostartFor(process.platform, terminal);
  const service = autostart && planAutostartUndo(autostart);
  const clients = CLIENTS.flatMap(({ files = [] }) => files.map((file) => planUndo(file, terminal)));
  const changes = [...clients, ...(service === undefined ? [] : [service])].filter(isChange);
  const released = await releasedKeys(clients, terminal);
  if (changes.length === 0 && released.keys.length === 0) {
    terminal.write("Nothing to undo: no client is connected, and there is no autostart.\n");
    return;
  }
  terminal.write(changes.map((change) => describeChange(change, terminal)).join("\n"));
  terminal.write(describeReleased(released));
  if (!(await isConfirmed(yes, terminal))) {
    terminal.write("Nothing was changed.\n");
    return;
  }
  const fault = service && autostart && runAll(autostart.disable, terminal);
  if (fault !== undefined)
    terminal.writeError(`Warning: ${fault}. A running gateway keeps running until you stop it.\n`);
  // A file without a change may still have an undo record, which can name a key.
  const recorded = clients.filter((each) => !changes.includes(each) && each.keys !== undefined);
  const all = [...recorded, ...changes];
  await writeWithKeys({ changes: all, created: [], released }, terminal, (each) => terminal.write(applyChange(each)));
  terminal.write(await describeDeleted(released, terminal));
}

async function isConfirmed(yes: true | undefined, terminal: Terminal): Promise<boolean> {
  if (yes === true) return true;
  const answer = await terminal.confirm("Restore these files?");
  if (answer !== undefined) return answer;
  throw invalid("standard input is not a terminal; use --yes to restore without asking");
}
