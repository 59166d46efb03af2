import { type Gateway, watchFile } from "@longhaul/gateway";
import type { SettingLayers } from "@longhaul/settings";
import type { Terminal } from "./terminal.ts";

/** A running gateway and where its configuration comes from. */
export interface Followed {
  readonly gateway: Gateway;
  /** The file to watch. */
  readonly file: string;
  /** Reads the configuration anew; throws where it is bad. */
  readonly read: () => SettingLayers;
}

/**
 * Gives a gateway its configuration anew whenever the file changes or somebody asks for it. A bad one is logged and changes nothing. Ends
 * when the result is called.
 */
export function followConfig({ gateway, file, read }: Followed, terminal: Terminal): () => void {
  const reload = () => {
    try {
      gateway.reload(read());
    } catch (error) {
      gateway.log.notReloaded(error instanceof Error ? error.message : String(error));
    }
  };
  const ignore = terminal.onReload(reload);
  const watch = watchFile(file, {
    changed: reload,
    failed: (why) => gateway.log.warned(`${file} is not watched (${why}); send SIGHUP after a change`),
  });
  return () => {
    ignore();
    watch.close();
  };
}
