/** The fields of a workspace's manifest that its published form needs. */
export interface WorkspaceManifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly license: string;
  readonly type: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>;
}

/** Returns the published entry points of a library, without those for tests. */
export function publishedEntries({ exports = {} }: WorkspaceManifest): [string, string][] {
  return Object.entries(exports).filter(([entry]) => entry !== "./testing");
}

/** Returns the output name of a source, without the extension: `./src/catalog/index.ts` becomes `catalog/index`. */
export function builtName(source: string): string {
  return source.replace(/^\.\/src\//, "").replace(/\.ts$/, "");
}

/** Returns the manifest of a published library. The packages in `bundled` are part of its files. */
export function libraryManifest(manifest: WorkspaceManifest, bundled: readonly string[]): Record<string, unknown> {
  const { dependencies = {}, peerDependencies, peerDependenciesMeta } = manifest;
  const kept = Object.entries(dependencies).filter(([name]) => !bundled.includes(name));
  return {
    ...identity(manifest),
    sideEffects: false,
    exports: {
      ...Object.fromEntries(publishedEntries(manifest).map(([entry, source]) => [entry, filesOf(source)])),
      "./package.json": "./package.json",
    },
    files: PUBLISHED_FILES,
    dependencies: Object.fromEntries(kept.map(([name, version]) => [name, rangeOf(name, version)])),
    ...(peerDependencies && { peerDependencies }),
    ...(peerDependenciesMeta && { peerDependenciesMeta }),
  };
}

/** Returns the tarballs that a library's own must be installed with, dependencies first: npm finds no unpublished package elsewhere. */
export function siblingTarballs(manifest: WorkspaceManifest, read: (name: string) => WorkspaceManifest): string[] {
  const names = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith("@longhaul/"));
  const all = names.flatMap((name) => {
    const sibling = read(name.replace("@longhaul/", ""));
    return [...siblingTarballs(sibling, read), tarballOf(sibling)];
  });
  return [...new Set(all)];
}

/** Returns the line of a library's README that says how to install its tarball. */
export function installLine(manifest: WorkspaceManifest, siblings: readonly string[]): string {
  const tarballs = [...siblings, tarballOf(manifest)].map((file) => `./${file}`).join(" ");
  return `Until the packages are published, install it with its siblings: \`npm install ${tarballs}\``;
}

function tarballOf({ name, version }: WorkspaceManifest): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** Returns the manifest of the program, which bundles all its dependencies. */
export function programManifest(manifest: WorkspaceManifest): Record<string, unknown> {
  return {
    ...identity(manifest),
    name: "longhaul",
    bin: { longhaul: "dist/longhaul.js" },
    exports: { "./package.json": "./package.json", "./longhaul.schema.json": "./longhaul.schema.json" },
    files: [...PUBLISHED_FILES, "longhaul.schema.json"],
  };
}

const PUBLISHED_FILES = ["dist", "docs", "API.md", "THIRD-PARTY-NOTICES.txt"];

function identity({ name, version, description, keywords, license, type, engines }: WorkspaceManifest) {
  return { name, version, description, keywords, license, type, engines };
}

function filesOf(source: string): Record<string, string> {
  const name = builtName(source);
  return { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` };
}

/** Our own packages have exact versions; for others any version with the same major is accepted. */
function rangeOf(name: string, version: string): string {
  return name.startsWith("@longhaul/") ? version : `^${version}`;
}
