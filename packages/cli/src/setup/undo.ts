import { CLIENTS } from "../connect/clients.ts";
import { describeChange, isChange } from "../connect/describe-change.ts";
import { type FileChange, planUndo, writeChange } from "../connect/settings-file.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { autostartFor, planAutostartUndo, runAll } from "./autostart.ts";

/** Restores the settings of all clients that `setup` or `connect` changed, and removes the autostart. */
export async function undoSetup({ yes }: { readonly yes?: true }, terminal: Terminal): Promise<void> {
  const autostart = autostartFor(process.platform, terminal);
  const service = autostart && planAutostartUndo(autostart);
  const clients = CLIENTS.flatMap(({ files = [] }) => files.map((file) => planUndo(file, terminal)));
  const changes = [...clients, ...(service === undefined ? [] : [service])].filter(isChange);
  if (changes.length === 0) {
    terminal.write("Nothing to undo: no client is connected, and there is no autostart.\n");
    return;
  }
  for (const change of changes) terminal.write(`${describeChange(change, terminal)}\n`);
  if (!(await isConfirmed(yes, terminal))) {
    terminal.write("Nothing was changed.\n");
    return;
  }
  const fault = service && autostart && runAll(autostart.disable, terminal);
  if (fault !== undefined)
    terminal.writeError(`Warning: ${fault}. A running gateway keeps running until you stop it.\n`);
  for (const change of changes) terminal.write(restore(change));
}

function restore(change: FileChange): string {
  writeChange(change);
  const notes = change.notes.map((note) => `${note}\n`).join("");
  return `${change.after === undefined ? "Removed" : "Restored"} ${change.path}.\n${notes}`;
}

async function isConfirmed(yes: true | undefined, terminal: Terminal): Promise<boolean> {
  if (yes === true) return true;
  const answer = await terminal.confirm("Restore these files?");
  if (answer !== undefined) return answer;
  throw invalid("standard input is not a terminal; use --yes to restore without asking");
}
