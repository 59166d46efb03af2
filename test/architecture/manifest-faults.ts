import { PACKAGE_TABLE, SCOPE } from "./package-table.ts";
import { isNodeModule, isRelative, packageOf, purposeOf, type SourceFile } from "./source-file.ts";

/** The fields of a package.json that the checks use. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
}

/** The fields of a tsconfig.json that the checks use. */
export interface TsConfig {
  readonly compilerOptions?: { readonly lib?: readonly string[]; readonly types?: readonly string[] };
  readonly references?: readonly { readonly path: string }[];
}

/** A package's folder name with its two configuration files. */
export interface PackageConfig {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly tsConfig: TsConfig;
}

/** The root's configuration: test tools, and the lists of all packages. */
export interface RootConfig {
  readonly manifest: Manifest;
  readonly tsConfig: TsConfig;
  readonly testTsConfig: TsConfig;
}

/** Returns differences between a package's dependencies and the imports of its files. */
export function dependencyFaults(
  files: readonly SourceFile[],
  configs: readonly PackageConfig[],
  root: Manifest,
): string[] {
  return configs.flatMap(({ folder, manifest }) => {
    const own = files.filter((file) => packageOf(file.path) === folder);
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const forTests = [
      ...declared,
      ...Object.keys(manifest.devDependencies ?? {}),
      ...Object.keys(root.devDependencies ?? {}),
    ];
    const used = packagesImported(own.filter((file) => purposeOf(file.path) === "source"));
    const usedInTests = packagesImported(own.filter((file) => purposeOf(file.path) !== "source"));
    const isWorkspace = (name: string) => name.startsWith(SCOPE);
    return [
      ...used
        .filter((name) => !declared.includes(name))
        .map((name) => `${folder} imports ${name} without declaring it`),
      ...declared
        .filter((name) => !used.includes(name))
        .map((name) => `${folder} declares ${name} without importing it`),
      ...usedInTests
        .filter((name) => !isWorkspace(name) && !forTests.includes(name))
        .map((name) => `${folder}'s tests import ${name}, which neither it nor the root declares`),
    ];
  });
}

/** Returns imports of workspace packages through entry points that they do not export. */
export function entryPointFaults(files: readonly SourceFile[], configs: readonly PackageConfig[]): string[] {
  const exported = new Set(
    configs.flatMap(({ manifest }) =>
      Object.keys(manifest.exports ?? {}).map((entry) => manifest.name + entry.slice(1)),
    ),
  );
  return files.flatMap((file) =>
    file.imports
      .filter(({ specifier }) => specifier.startsWith(SCOPE) && !exported.has(specifier))
      .map(({ specifier, line }) => `${file.path}:${line} imports ${specifier}, which no package exports`),
  );
}

/** Returns differences between a tsconfig and the package's dependencies, its purity, or the list of packages. */
export function tsConfigFaults(configs: readonly PackageConfig[], root: RootConfig): string[] {
  const all = configs.map(({ folder }) => `packages/${folder}`);
  return [
    ...configs.flatMap(packageTsConfigFaults),
    ...difference(
      "tsconfig.json",
      all,
      referencesOf(root.tsConfig).filter((path) => path.startsWith("packages/")),
    ),
    ...difference("tsconfig.test.json", all, referencesOf(root.testTsConfig)),
  ];
}

function packageTsConfigFaults({ folder, manifest, tsConfig }: PackageConfig): string[] {
  const dependencies = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith(SCOPE));
  const wanted = dependencies.map((name) => `../${name.slice(SCOPE.length)}`);
  const { lib, types = [] } = tsConfig.compilerOptions ?? {};
  const isLeaky = PACKAGE_TABLE[folder]?.isPure === true && (lib !== undefined || types.length > 0);
  return [
    ...(manifest.name === SCOPE + folder ? [] : [`packages/${folder} is named ${manifest.name}`]),
    ...(isLeaky ? [`${folder} is pure, but its tsconfig brings in lib or types`] : []),
    ...difference(`packages/${folder}/tsconfig.json`, wanted, referencesOf(tsConfig)),
  ];
}

function referencesOf(tsConfig: TsConfig): string[] {
  return (tsConfig.references ?? []).map(({ path }) => path);
}

function difference(where: string, wanted: readonly string[], found: readonly string[]): string[] {
  return [
    ...wanted.filter((path) => !found.includes(path)).map((path) => `${where} lacks the reference ${path}`),
    ...found.filter((path) => !wanted.includes(path)).map((path) => `${where} has the needless reference ${path}`),
  ];
}

function packagesImported(files: readonly SourceFile[]): string[] {
  const specifiers = files.flatMap((file) => file.imports.map(({ specifier }) => specifier));
  const names = specifiers
    .filter((specifier) => !isRelative(specifier) && !isNodeModule(specifier))
    .map((specifier) =>
      specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  return [...new Set(names)];
}
