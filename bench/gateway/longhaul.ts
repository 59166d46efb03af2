// The gateway under test, with one chat upstream.
import { openGateway } from "@longhaul/gateway";
import { parseConfig } from "@longhaul/settings";

const baseUrl = `${process.argv[2]}/v1`;
const config = parseConfig(
  {
    server: { port: 0 },
    upstreams: { mock: { kind: "openai-compatible", baseUrl, apiKey: "k" } },
    routes: [{ match: "*", upstream: "mock" }],
    log: { tokens: process.argv[3] === "look-up" },
  },
  {},
);
const gateway = await openGateway(config);
process.stdout.write(`${new URL(gateway.url).port}\n`);
