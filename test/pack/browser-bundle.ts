import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** A program that imports installed packages, bundled for the browser. */
export interface BrowserBundle {
  readonly code: string;
  /** Bytes of what loads at once, minified; and the same compressed. */
  readonly minifiedBytes: number;
  readonly gzippedBytes: number;
}

export interface BrowserBundleOptions {
  readonly code: string;
  /** The folder with `node_modules`. */
  readonly folder: string;
  /** Makes one script that sets this variable to the program's exports, with everything that would load later. */
  readonly variable?: string;
}

/** Bundles a program like a web project. An import that only Node has is a warning, and fails. */
export async function bundleForBrowser({ code, folder, variable }: BrowserBundleOptions): Promise<BrowserBundle> {
  const input = join(folder, "program.ts");
  writeFileSync(input, code);
  const bundled = await rolldown({
    input,
    platform: "browser",
    onLog: (level, { message }) => {
      if (level === "warn") throw new Error(message);
    },
  });
  const { output } = await bundled.generate({
    ...(variable === undefined ? { format: "esm" } : { format: "iife", name: variable, codeSplitting: false }),
    minify: true,
    comments: { annotation: false, legal: false, jsdoc: false },
  });
  await bundled.close();
  const [{ code: text, imports }] = output;
  const shared = output.flatMap((file) =>
    file.type === "chunk" && imports.includes(file.fileName) ? [file.code] : [],
  );
  const loaded = [text, ...shared].join("");
  return { code: text, minifiedBytes: Buffer.byteLength(loaded), gzippedBytes: gzipSync(loaded, { level: 9 }).length };
}
