/** The settings of a systemd unit, by section, each with its values in order. */
export type Unit = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Reads a unit. A line that is neither a section, a setting nor a comment throws. */
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
    else if (line !== "" && !line.startsWith("#")) throw new Error(`"${line}" is no setting`);
  }
  return unit;
}

/** What a service of ours has to shut, and the value that shuts it. */
const SHUT: Readonly<Record<string, string>> = {
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

/** What is wrong with a unit: settings that systemd does not know where they stand, and doors that are left open. */
export function unitFaults(unit: Unit): string[] {
  const service = unit.Service ?? {};
  const misplaced = Object.entries(unit).flatMap(([section, settings]) =>
    Object.keys(settings)
      .filter((name) => !KNOWN[section]?.includes(name))
      .map((name) => `[${section}] has no setting ${name}`),
  );
  const open = Object.entries(SHUT)
    .filter(([name, value]) => service[name]?.at(-1) !== value)
    .map(([name, value]) => `${name} is not ${value === "" ? "empty" : value}`);
  const isRoot = service.DynamicUser?.at(-1) !== "yes" && (service.User?.at(-1) ?? "root") === "root";
  // Node compiles to machine code, which a service with this setting may not do.
  const cannotRun = service.MemoryDenyWriteExecute?.at(-1) === "yes" ? ["Node cannot run without writable code"] : [];
  return [...misplaced, ...open, ...(isRoot ? ["it runs as root"] : []), ...cannotRun];
}

// systemd.unit(5), systemd.service(5), systemd.exec(5): those that are of use here.
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  Unit: ["Description", "Documentation", "After", "Wants", "Requires"],
  Install: ["WantedBy"],
  Service: [
    ...Object.keys(SHUT),
    ..."Type ExecStart ExecReload EnvironmentFile Environment Restart RestartSec TimeoutStopSec LimitNOFILE".split(" "),
    ..."DynamicUser User StateDirectory StateDirectoryMode ConfigurationDirectory WorkingDirectory".split(" "),
    ..."AmbientCapabilities ProcSubset ProtectClock ProtectHostname ProtectKernelLogs ProtectProc RemoveIPC".split(" "),
    ..."RestrictAddressFamilies RestrictRealtime SystemCallFilter SystemCallErrorNumber MemoryDenyWriteExecute".split(
      " ",
    ),
  ],
};
