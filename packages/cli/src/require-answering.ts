import { LonghaulError } from "@longhaul/conversation";

const PROBE_TIMEOUT_MS = 5_000;

/** Gives the address back where a gateway answers at it; where none does, throws and says by which flags another one is named. */
export async function requireAnswering(url: string, flags: string): Promise<string> {
  try {
    await fetch(`${url}/api/hello`, { method: "HEAD", signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return url;
  } catch (cause) {
    throw new LonghaulError(
      "settings.invalid",
      `no gateway answers at ${url}; start one with \`longhaul start\`, or say where it is with ${flags}`,
      { cause },
    );
  }
}
