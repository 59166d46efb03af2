import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import type { FileChange } from "../connect/settings-file.ts";
import { readStored } from "../connect/stored-file.ts";
import { hashOfText, readRecord } from "../connect/undo-record.ts";
import { invalid } from "../terminal/invalid.ts";
import { programCommand } from "../terminal/program-files.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A file that makes the system start the gateway when the user logs in, with the commands that enable and disable it. */
export interface Autostart {
  readonly path: string;
  readonly text: string;
  readonly enable: readonly (readonly string[])[];
  readonly disable: readonly (readonly string[])[];
  /** Where the gateway reads API keys, because it does not see the variables of a shell. */
  readonly keysHint: string;
}

const keysHint = (file: string) => `A service does not see your shell's variables: put API keys into ${file}.`;

const UNIT = "longhaul.service";
const LABEL = "dev.longhaul.gateway";

/** Returns the file for this system, or `undefined` if there is no support for it. */
export function autostartFor(
  platform: string,
  { environment }: Pick<Terminal, "environment">,
  command: readonly string[] = programCommand(),
): Autostart | undefined {
  const home = environment.HOME || homedir();
  const config = environment.XDG_CONFIG_HOME || join(home, ".config");
  if (platform === "linux") return systemdUnit(join(config, "systemd", "user", UNIT), command);
  if (platform === "darwin") return launchAgent(join(home, "Library", "LaunchAgents", `${LABEL}.plist`), command);
  return undefined;
}

/** Variables with API keys go into the environment file: setup never copies them. */
function systemdUnit(path: string, command: readonly string[]): Autostart {
  const quoted = command.map(
    (part) => `"${part.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`,
  );
  const text = `[Unit]
Description=Longhaul gateway
After=network.target

[Service]
ExecStart=${quoted.join(" ")} start
EnvironmentFile=-%E/longhaul/environment
Restart=on-failure
RestartSec=2
NoNewPrivileges=yes
UMask=0077

[Install]
WantedBy=default.target
`;
  const systemctl = (...args: string[]) => ["systemctl", "--user", ...args];
  return {
    path,
    text,
    enable: [systemctl("daemon-reload"), systemctl("enable", "--now", UNIT)],
    disable: [systemctl("disable", "--now", UNIT), systemctl("daemon-reload")],
    keysHint: keysHint("~/.config/longhaul/environment"),
  };
}

function launchAgent(path: string, command: readonly string[]): Autostart {
  const escaped = [...command, "start"].map((part) => part.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${escaped.map((part) => `    <string>${part}</string>`).join("\n")}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
</dict>
</plist>
`;
  return {
    path,
    text,
    enable: [["launchctl", "load", "-w", path]],
    disable: [["launchctl", "unload", "-w", path]],
    keysHint: keysHint("~/.config/longhaul/longhaul.yaml"),
  };
}

/** Plans to write the file. */
export function planAutostart({ path, text }: Autostart): FileChange {
  const before = readStored(path)?.text;
  const original = readRecord(path)?.before ?? (readRecord(path) === undefined ? before : undefined);
  const record = { before: original, afterHash: hashOfText(text), pieces: [], folder: readRecord(path)?.folder };
  return { path, before, after: text, record, notes: [] };
}

/** Plans to restore the earlier state, unless the file was edited since. Without an undo record, there is nothing to do. */
export function planAutostartUndo({ path }: Autostart): FileChange | undefined {
  const record = readRecord(path);
  if (record === undefined) return undefined;
  const before = readStored(path)?.text;
  if (before === undefined) return { path, before, after: undefined, record: undefined, notes: [] };
  if (hashOfText(before) !== record.afterHash)
    throw invalid(
      `${path} was edited after Longhaul wrote it; delete it yourself, together with ${path}.longhaul-undo`,
    );
  return { path, before, after: record.before, record: undefined, notes: [] };
}

/** Runs commands of the system until one fails. Returns that one with its reason, or `undefined`. */
export function runAll(
  commands: readonly (readonly string[])[],
  { environment }: Pick<Terminal, "environment">,
): string | undefined {
  for (const [program = "", ...args] of commands) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", env: { ...environment } });
    if (status !== 0)
      return `\`${[program, ...args].join(" ")}\` failed: ${(error?.message ?? stderr).trim() || `exit code ${status}`}`;
  }
  return undefined;
}
