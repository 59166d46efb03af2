import { basename, dirname, isAbsolute } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";

export interface BundleOptions {
  /** Sources by output name, without the extension. */
  readonly input: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Whether a package stays a dependency; all others are bundled. */
  readonly isExternal: (name: string) => boolean;
  /**
   * The sources of a library, for any runtime: each module stays a file, so that a bundler drops those that a program does not use. Without
   * it, everything is bundled for Node.
   */
  readonly libraryRoot?: string;
}

/** Bundles sources into one folder, and returns the paths of all bundled modules. */
export async function bundle({ input, folder, isExternal, libraryRoot }: BundleOptions): Promise<string[]> {
  const external = (id: string) => !isAbsolute(id) && !id.startsWith(".") && isExternal(packageName(id));
  const bundled = await rolldown({
    input,
    external,
    ...(libraryRoot === undefined
      ? { platform: "node", plugins: [bundleUrls, lazyBuiltins] }
      : { platform: "neutral" }),
    // Our modules have no side effects, so unused ones are dropped.
    treeshake: { moduleSideEffects: (id) => !/\/packages\/[^/]+\/src\//.test(id) },
    onLog: refuseWarnings,
  });
  const { output } = await bundled.write({
    dir: folder,
    format: "esm",
    // All in one folder, so that paths relative to a module work in every chunk.
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    ...(libraryRoot !== undefined && { preserveModules: true, preserveModulesRoot: libraryRoot }),
    comments: { legal: false, jsdoc: false },
  });
  await bundled.close();
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

/** `pg` for `pg/lib/client`, `@scope/name` for `@scope/name/part`. */
function packageName(id: string): string {
  return id
    .split("/")
    .slice(0, id.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Bundles sources that are referenced by URL, such as workers, into files of their own. */
const bundleUrls: Plugin = {
  name: "urls-of-sources",
  transform: {
    filter: { id: /\.ts$/, code: /new URL\("\.\/[\w-]+\.ts", import\.meta\.url\)/ },
    handler(code, id) {
      return code.replaceAll(/new URL\("(\.\/[\w-]+\.ts)", import\.meta\.url\)/g, (_, path: string) => {
        const source = fileURLToPath(new URL(path, pathToFileURL(id)));
        const name = `${basename(dirname(source))}-${basename(source, ".ts")}`;
        const file = this.emitFile({ type: "chunk", id: source, name });
        return `new URL(import.meta.ROLLUP_FILE_URL_${file})`;
      });
    },
  },
};

const BUILTIN = "\0builtin:";

/**
 * Loads some of Node's modules like CommonJS: an `import` reads every export, which runs lazy getters. For `node:http` that includes a
 * second HTTP client, 30 to 50 ms of every start.
 */
const lazyBuiltins: Plugin = {
  name: "unread-builtins",
  resolveId: {
    filter: { id: /^node:(fs|http|util)$/ },
    handler: (id) => `${BUILTIN}${id}`,
  },
  load: {
    filter: { id: /^\0builtin:/ },
    handler: (id) => `module.exports = process.getBuiltinModule("${id.slice(BUILTIN.length)}");`,
  },
};

function refuseWarnings(level: string, log: { readonly message: string }): void {
  if (level === "warn") throw new Error(`bundling: ${log.message}`);
}
