// The gateway under test, with one chat upstream whose window holds every request. With "manage" as the second argument it manages the
// context as by default: every message is looked up and counted. A third argument is more configuration as JSON.
import { openGateway } from "@longhaul/gateway";
import { parseConfig } from "@longhaul/settings";

const baseUrl = `${process.argv[2]}/v1`;
const mode = process.argv[3] === "manage" ? "on" : "off";
const more: object = JSON.parse(process.argv[4] ?? "{}");
const WINDOW_TOKENS = 4_000_000;
const config = parseConfig(
  {
    server: { port: 0 },
    upstreams: { mock: { kind: "openai-compatible", baseUrl, apiKey: "k", window: WINDOW_TOKENS } },
    routes: [{ match: "*", upstream: "mock" }],
    context: { mode },
    ...more,
  },
  {},
);
const gateway = await openGateway({ file: config });
process.once("SIGTERM", () => void gateway.close().then(() => process.exit()));
process.stdout.write(`${new URL(gateway.url).port}\n`);
