/** The packages that a package may import, and whether it must be pure. */
export interface PackageRule {
  /** Names of workspace packages; `models/catalog` means only that entry point. */
  readonly mayImport: readonly string[];
  /** Additional packages that its tests may import. */
  readonly testsMayImport?: readonly string[];
  readonly isPure: boolean;
}

const BELOW_GATEWAY = ["conversation", "models", "condense", "wire", "logs", "settings", "upstream", "store"];

/** The allowed imports. Every package must be listed. */
export const PACKAGE_TABLE: Readonly<Record<string, PackageRule>> = {
  conversation: { mayImport: [], isPure: true },
  models: { mayImport: ["conversation"], isPure: true },
  condense: { mayImport: ["conversation", "models"], isPure: true },
  wire: { mayImport: ["conversation"], isPure: true },
  logs: { mayImport: ["conversation", "wire"], isPure: true },
  settings: { mayImport: ["conversation", "models", "condense"], isPure: true },
  upstream: { mayImport: ["conversation", "models", "wire"], testsMayImport: ["simulator"], isPure: false },
  store: { mayImport: ["conversation", "models", "condense", "settings"], isPure: false },
  fit: { mayImport: BELOW_GATEWAY.filter((name) => name !== "logs"), testsMayImport: ["simulator"], isPure: false },
  admin: { mayImport: [...BELOW_GATEWAY, "fit"], testsMayImport: ["simulator"], isPure: false },
  gateway: { mayImport: [...BELOW_GATEWAY, "fit", "admin"], testsMayImport: ["simulator"], isPure: false },
  simulator: { mayImport: ["models/catalog"], isPure: false },
  adapters: { mayImport: ["conversation", "models", "condense", "wire"], testsMayImport: ["simulator"], isPure: false },
  dashboard: { mayImport: ["settings", "admin/api"], isPure: false },
  cli: { mayImport: [...BELOW_GATEWAY, "fit", "admin", "gateway", "simulator", "adapters"], isPure: false },
};

/** The scope of every workspace package's name. */
export const SCOPE = "@longhaul/";
