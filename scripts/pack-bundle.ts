import { basename, dirname, isAbsolute } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";

/** What is made of one package's sources. */
export interface Bundling {
  /** Sources by the name of the file that each becomes, without its ending. */
  readonly input: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Whether a package is left to npm; everything else becomes part of the bundle. */
  readonly isExternal: (name: string) => boolean;
}

/** Bundles sources into files of one folder, and gives the paths of all that went into them. */
export async function bundle({ input, folder, isExternal }: Bundling): Promise<string[]> {
  const external = (id: string) => !isAbsolute(id) && !id.startsWith(".") && isExternal(packageName(id));
  const bundled = await rolldown({
    input,
    external,
    platform: "node",
    plugins: [urlsOfSources, unreadBuiltins],
    // A module of ours does nothing but what others ask of it: whoever needs one thing of a package loads no more.
    treeshake: { moduleSideEffects: (id) => !/\/packages\/[^/]+\/src\//.test(id) },
    onLog: refuseWarnings,
  });
  const { output } = await bundled.write({
    dir: folder,
    format: "esm",
    // Beside each other: what finds its files relative to its own place is right in every chunk.
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    comments: { legal: false, jsdoc: false },
  });
  await bundled.close();
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

/** `pg` of `pg/lib/client`, `@scope/name` of `@scope/name/part`. */
function packageName(id: string): string {
  return id
    .split("/")
    .slice(0, id.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Sources that are named by their address, such as those of threads, become files of their own. */
const urlsOfSources: Plugin = {
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
 * Some of Node's own modules are asked for as CommonJS does: an `import` reads all that one exports, and makes what is only made when it is
 * read. Of `node:http` that is a second HTTP client, 30 to 50 ms of every start.
 */
const unreadBuiltins: Plugin = {
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
