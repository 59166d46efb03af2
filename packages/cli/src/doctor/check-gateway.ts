import {
  type HealthAnswer,
  healthSchema,
  settingsSchema,
  testedUpstreamSchema,
  upstreamsSchema,
} from "@longhaul/admin/api";
import { BUILT_IN_KIND } from "@longhaul/models/kinds";
import { adminAddress, type Config, credentialUpstreams, formatPath } from "@longhaul/settings";
import { isInMemory, type StoreLocation } from "@longhaul/store";
import { withStore } from "../config/config-source.ts";
import { isLonghaul, reachableAddress } from "../gateway/address.ts";
import { readRouting } from "../gateway/gateway-config.ts";
import { type AdminSession, findRunning, signInTo } from "../gateway/running.ts";
import { type CheckedUpstream, rateUpstreams, settingNames } from "./check-upstreams.ts";
import { type Finding, good, note } from "./finding.ts";

/** A gateway that is running, with its own view of its upstreams and of condensing; without one if it uses another store. */
export interface GatewayCheck {
  readonly url: string;
  readonly findings: readonly Finding[];
  readonly isAsked: boolean;
}

/**
 * Finds the running gateway, at the configured address or recorded beside the store, and asks it for its upstreams: it may have been started
 * with other variables than this shell has. Returns `undefined` if none is running.
 */
export async function checkGateway(
  { server }: Config,
  location: StoreLocation,
  isOffline: boolean,
): Promise<GatewayCheck | undefined> {
  const url = await runningAt(server, location);
  if (url === undefined) return undefined;
  const asked = isInMemory(location)
    ? undefined
    : await withStore(location, async ({ signIns }) => {
        const session = await signInTo(url, signIns);
        if (session === undefined) return undefined;
        try {
          return await askGateway(session, isOffline);
        } finally {
          await session.signOut();
        }
      });
  if (asked !== undefined) return { url, findings: [good("gateway", `running at ${url}`), ...asked], isAsked: true };
  const remedy = "choose its store with --store; the checks below are about a gateway that is started here";
  return { url, findings: [note("gateway", `the one at ${url} uses another store`, remedy)], isAsked: false };
}

async function runningAt(server: Config["server"], location: StoreLocation): Promise<string | undefined> {
  const { host, port } = adminAddress(server);
  const url = reachableAddress(host, port);
  if (port !== 0 && (await isLonghaul(url))) return url;
  return (await findRunning(location))?.adminUrl;
}

async function askGateway(session: AdminSession, isOffline: boolean): Promise<Finding[]> {
  const health = healthSchema.parse(await session.call("GET", "/health"));
  const { upstreams } = upstreamsSchema.parse(await session.call("GET", "/upstreams"));
  const { settings } = settingsSchema.parse(await session.call("GET", "/settings"));
  const originOf = (path: readonly string[]) => settings.find((each) => each.path === formatPath(path))?.origin;
  const isNothingConfigured = health.upstreams.some(({ isSimulated }) => isSimulated);
  const limited = credentialUpstreams(await readRouting(session));
  const checked = upstreams.map(async ({ name, kind, credential }): Promise<CheckedUpstream> => {
    const isSimulator = kind === BUILT_IN_KIND;
    const isLabelled = health.upstreams.some((each) => each.name === name && each.isSimulated);
    const isForCredential = limited.has(name);
    const isTested = !isOffline && !isForCredential && !isSimulator;
    return {
      id: name,
      answers: isSimulator ? (isLabelled ? "labelled" : "simulated") : "model",
      hasKey: credential === "gateway",
      isForCredential,
      names: settingNames(name, kind, originOf),
      ...(isTested && { tried: await test(session, name) }),
    };
  });
  return [contextOf(health), ...rateUpstreams(await Promise.all(checked), isNothingConfigured)];
}

function contextOf({ isContextDisabled }: HealthAnswer): Finding {
  return isContextDisabled
    ? note("context", "DISABLE_CONTEXT_COMPRESSION is set where the gateway runs: nothing is condensed", "unset it")
    : good("context", "the gateway condenses conversations that outgrow the window");
}

async function test(session: AdminSession, name: string) {
  return testedUpstreamSchema.parse(await session.call("POST", `/upstreams/${encodeURIComponent(name)}/test`, {}));
}
