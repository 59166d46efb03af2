/** What a workspace's manifest holds that its published form is made of. */
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

/** The entry points that a library is published with: what its tests share stays at home. */
export function publishedEntries({ exports = {} }: WorkspaceManifest): [string, string][] {
  return Object.entries(exports).filter(([entry]) => entry !== "./testing");
}

/** The name of the file that a source becomes, without its ending: `./src/catalog/index.ts` is `catalog/index`. */
export function builtName(source: string): string {
  return source.replace(/^\.\/src\//, "").replace(/\.ts$/, "");
}

/** The manifest that a library is published with. Packages of `bundled` are in its files already. */
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

/** The manifest of the program, which holds all that it needs. */
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

/** Our own packages go together; of others a library takes what its user has, within the major version. */
function rangeOf(name: string, version: string): string {
  return name.startsWith("@longhaul/") ? version : `^${version}`;
}
