import { table } from "@longhaul/conversation";
import type { Config, UpstreamConfig } from "./config.ts";
import type { Path } from "./path.ts";

/** What an upstream of a kind cannot work without. */
const NEEDED: Readonly<Partial<Record<UpstreamConfig["kind"], readonly (keyof UpstreamConfig)[]>>> = table({
  "openai-compatible": ["baseUrl"],
  bedrock: ["accessKeyId", "secretAccessKey", "region"],
  vertex: ["credentialsFile"],
});

/** Parts of Vertex's address, unless the configuration has one of its own without them. */
const VERTEX_ADDRESS = "{project} {region}";

/** What upstreams need and do not have, each said where it should stand. */
export function missingSettings({ upstreams }: Config): { readonly path: Path; readonly message: string }[] {
  return Object.entries(upstreams).flatMap(([id, upstream]) =>
    neededBy(upstream)
      .filter((setting) => upstream[setting] === undefined)
      .map((setting) => ({
        path: ["upstreams", id, setting],
        message: `an upstream of kind ${upstream.kind} needs it`,
      })),
  );
}

function neededBy({ kind, baseUrl }: UpstreamConfig): readonly (keyof UpstreamConfig)[] {
  const address = kind === "vertex" ? (baseUrl ?? VERTEX_ADDRESS) : "";
  const inAddress = (["project", "region"] as const).filter((name) => address.includes(`{${name}}`));
  return [...(NEEDED[kind] ?? []), ...inAddress];
}
