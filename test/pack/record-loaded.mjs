// Loaded before a program: writes the modules that it had loaded when it ended, its own and Node's, to LOADED_FILE.
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

const files = [];
if (isMainThread) {
  registerHooks({
    load: (url, context, nextLoad) => {
      if (url.startsWith("file:")) files.push(url);
      return nextLoad(url, context);
    },
  });
  process.on("exit", () => {
    writeFileSync(process.env.LOADED_FILE, JSON.stringify({ files, builtins: process.moduleLoadList }));
  });
}
