/** The settings of a systemd unit, by section, each with its values in order. */
export type Unit = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Reads a unit. Throws on a line that is not a section, a setting or a comment. */
export function parseUnit(text: string): Unit {
  const unit: Record<string, Record<string, string[]>> = {};
  let section: Record<string, string[]> = {};
  for (const line of text.split("\n")) {
    const [, heading] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, name, value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (heading !== undefined) {
      section = {};
      unit[heading] = section;
    } else if (name !== undefined) section[name] = [...(section[name] ?? []), value];
    else if (line !== "" && !line.startsWith("#")) throw new Error(`"${line}" is not a setting`);
  }
  return unit;
}

/** The settings that lock down a service. */
const RESTRICTIONS: Readonly<Record<string, string>> = {
  NoNewPrivileges: "yes",
  CapabilityBoundingSet: "",
  ProtectSystem: "strict",
  ProtectHome: "yes",
  PrivateTmp: "yes",
  PrivateDevices: "yes",
  ProtectKernelTunables: "yes",
  ProtectKernelModules: "yes",
  ProtectControlGroups: "yes",
  RestrictNamespaces: "yes",
  RestrictSUIDSGID: "yes",
  LockPersonality: "yes",
  SystemCallArchitectures: "native",
  UMask: "0077",
};

/** Returns the faults of a unit: settings that systemd does not know in their section, and missing restrictions. */
export function unitFaults(unit: Unit): string[] {
  const service = unit.Service ?? {};
  const misplaced = Object.entries(unit).flatMap(([section, settings]) =>
    Object.keys(settings)
      .filter((name) => !KNOWN[section]?.includes(name))
      .map((name) => `[${section}] has no setting ${name}`),
  );
  const open = Object.entries(RESTRICTIONS)
    .filter(([name, value]) => service[name]?.at(-1) !== value)
    .map(([name, value]) => `${name} is not ${value === "" ? "empty" : value}`);
  const isRoot = service.DynamicUser?.at(-1) !== "yes" && (service.User?.at(-1) ?? "root") === "root";
  // Node compiles to machine code, which this setting forbids.
  const cannotRun = service.MemoryDenyWriteExecute?.at(-1) === "yes" ? ["Node cannot run without writable code"] : [];
  return [...misplaced, ...open, ...(isRoot ? ["it runs as root"] : []), ...cannotRun];
}

// Relevant settings of systemd.unit(5), systemd.service(5) and systemd.exec(5).
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  Unit: ["Description", "Documentation", "After", "Wants", "Requires"],
  Install: ["WantedBy"],
  Service: [
    ...Object.keys(RESTRICTIONS),
    ..."Type ExecStart ExecReload EnvironmentFile Environment Restart RestartSec TimeoutStopSec LimitNOFILE".split(" "),
    ..."DynamicUser User StateDirectory StateDirectoryMode ConfigurationDirectory WorkingDirectory".split(" "),
    ..."AmbientCapabilities ProcSubset ProtectClock ProtectHostname ProtectKernelLogs ProtectProc RemoveIPC".split(" "),
    ..."RestrictAddressFamilies RestrictRealtime SystemCallFilter SystemCallErrorNumber MemoryDenyWriteExecute".split(
      " ",
    ),
  ],
};
