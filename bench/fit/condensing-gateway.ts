// The gateway under test: one upstream serves the streams, the other the long conversation.
import { openGateway } from "@longhaul/gateway";
import { parseConfig } from "@longhaul/settings";
import { MODEL } from "./conversation.ts";

const [paced, other, strategy, windowTokens] = process.argv.slice(2);
const upstreamAt = (baseUrl: string | undefined) => ({ kind: "anthropic", baseUrl, apiKey: "key" });
const config = parseConfig(
  {
    server: { port: 0 },
    upstreams: { paced: upstreamAt(paced), other: { ...upstreamAt(other), window: Number(windowTokens) } },
    routes: [
      { match: MODEL, upstream: "other" },
      { match: "*", upstream: "paced" },
    ],
    context: { strategy },
    compaction: { enabled: false },
    store: { path: ":memory:" },
  },
  {},
);
const gateway = await openGateway({ file: config });
process.stdout.write(`${new URL(gateway.url).port}\n`);
