import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CLIENTS as CONNECTED } from "../../packages/cli/src/connect/clients.ts";
import { withBetween } from "../../scripts/between-marks.ts";
import { type Client, nameOf } from "./client.ts";
import { LAST_WORDS } from "./ledger.ts";
import { compactionsIn, type Observation } from "./observation.ts";

const PAGE = fileURLToPath(new URL("../../docs/clients.md", import.meta.url));
const MARKS = ["<!-- Written by `npm run test:clients`. -->", "<!-- Up to here. -->"] as const;

/** Writes what was seen of every client into its page, between the two marks. */
export function writeMatrix(clients: readonly Client[], seen: ReadonlyMap<string, Observation>): void {
  writeFileSync(PAGE, withBetween(readFileSync(PAGE, "utf8"), MARKS, describeMatrix(clients, seen)));
}

const HEAD = [
  "| client | version | format | answered by | pointed by | turns | largest prompt | window | condensed | finished |",
  "|---|---|---|---|---|--:|--:|--:|--:|---|",
];

/** The table. Figures are rounded, so that a run that saw the same writes the same. */
function describeMatrix(clients: readonly Client[], seen: ReadonlyMap<string, Observation>): string {
  const rows = clients.flatMap((client) => {
    const observation = seen.get(nameOf(client));
    return observation === undefined ? [] : [rowOf(client, observation)];
  });
  return [`On Node ${process.versions.node}:`, "", ...HEAD, ...rows].join("\n");
}

function rowOf(client: Client, { requests, condensations, printed }: Observation): string {
  const own = requests.filter(({ model }) => model === client.model);
  const largest = Math.max(...own.map(({ originalTokens }) => originalTokens));
  const cells = [
    CONNECTED.find(({ id }) => id === client.id)?.name ?? client.id,
    `\`${client.package}\` ${client.version}`,
    client.wire,
    answererOf(client),
    wayOf(client),
    own.length,
    `${Math.round(largest / 1_000)}k`,
    `${Math.round((own[0]?.windowTokens ?? 0) / 1_000)}k`,
    client.compacts === true ? `by itself, ${compactionsIn(own)} times` : `${condensations} times`,
    printed.includes(LAST_WORDS) ? "yes" : "no",
  ];
  return `| ${cells.join(" | ")} |`;
}

function answererOf({ model, answeredBy }: Client): string {
  return answeredBy === undefined ? model : `${answeredBy} for ${model}`;
}

function wayOf({ id, program, way }: Client): string {
  if (way === "run") return `\`longhaul run ${id}\``;
  return way === "write" ? `\`longhaul connect ${id} --write\`` : `\`${program} auth\``;
}
