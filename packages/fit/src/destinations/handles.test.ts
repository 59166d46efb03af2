import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "@longhaul/settings";
import { afterAll, describe, expect, it } from "vitest";
import { upstreamsOf } from "./handles.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

function upstreams(fields: Record<string, unknown>, simulatorUrl?: string) {
  const config = parseConfig({ upstreams: { here: fields } }, {}).upstreams.here!;
  return upstreamsOf(config, { id: "here", ...(simulatorUrl && { simulatorUrl }) });
}

describe("upstreamsOf", () => {
  it("uses the vendor's own URL and the client's credential by default", () => {
    expect(upstreams({ kind: "anthropic" })).toMatchObject([
      {
        id: "here",
        baseUrl: "https://api.anthropic.com",
        auth: { kind: "client", header: "x-api-key" },
        timeouts: { connectMs: 10_000, firstByteMs: 120_000, idleMs: 300_000 },
      },
    ]);
  });

  it("takes URL, key, headers, window and blocked betas from the configuration", () => {
    expect(
      upstreams({
        kind: "openai-compatible",
        baseUrl: "http://127.0.0.1:8000/v1/",
        apiKey: "k",
        window: 32_768,
        headers: { "X-Team": "a" },
        blockedBetas: ["context-1m-2025-08-07"],
      }),
    ).toMatchObject([
      {
        baseUrl: "http://127.0.0.1:8000/v1",
        auth: { kind: "key", header: "authorization", key: "k" },
        headers: { "x-team": "a" },
        windowTokens: 32_768,
        blockedBetas: ["context-1m-2025-08-07"],
      },
    ]);
  });

  it("moves user name and password from the URL to the authentication, unless there is a key", () => {
    const baseUrl = "http://user:p%40ss@127.0.0.1:8000/v1";
    const token = Buffer.from("user:p@ss").toString("base64");
    expect(upstreams({ kind: "openai-compatible", baseUrl })).toMatchObject([
      { baseUrl: "http://127.0.0.1:8000/v1", auth: { kind: "basic", token } },
    ]);
    expect(upstreams({ kind: "openai-compatible", baseUrl, apiKey: "k" })).toMatchObject([
      { baseUrl: "http://127.0.0.1:8000/v1", auth: { kind: "key", key: "k" } },
    ]);
    expect(upstreams({ kind: "openai-compatible", baseUrl: "http://u:100%@127.0.0.1:1" })).toMatchObject([
      { baseUrl: "http://127.0.0.1:1", auth: { kind: "basic" } },
    ]);
  });

  it("fills in region and project", () => {
    const [bedrock] = upstreams({
      kind: "bedrock",
      region: "eu-west-1",
      accessKeyId: "i",
      secretAccessKey: "s",
      sessionToken: "t",
    });
    expect(bedrock).toMatchObject({
      baseUrl: "https://bedrock-runtime.eu-west-1.amazonaws.com",
      auth: {
        kind: "aws",
        region: "eu-west-1",
        credentials: { accessKeyId: "i", secretAccessKey: "s", sessionToken: "t" },
      },
    });
  });

  it("makes two upstreams for Vertex, one per vendor, with the file's account", () => {
    const file = join(folder, "account.json");
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    writeFileSync(file, JSON.stringify({ client_email: "a@b.example", private_key: privateKey }));
    const at = (region: string) => upstreams({ kind: "vertex", region, project: "p", credentialsFile: file });
    const places = at("europe-west1");
    expect(places.map(({ deployment }) => deployment.vendor)).toEqual(["anthropic", "google"]);
    expect(places[0]?.baseUrl).toBe(
      "https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1",
    );
    expect(["global", "eu"].map((region) => at(region)[0]?.baseUrl)).toEqual([
      "https://aiplatform.googleapis.com/v1/projects/p/locations/global",
      "https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu",
    ]);
    expect(places[0]?.auth).toMatchObject({
      kind: "google",
      account: { clientEmail: "a@b.example", tokenUrl: "https://oauth2.googleapis.com/token" },
    });
  });

  it("makes an upstream for each vendor of the simulator", () => {
    expect(upstreams({ kind: "simulator" }, "http://127.0.0.1:9").map(({ baseUrl }) => baseUrl)).toEqual([
      "http://127.0.0.1:9",
      "http://127.0.0.1:9/v1",
      "http://127.0.0.1:9",
    ]);
  });

  it("limits a deployment with several formats to the configured one", () => {
    expect(upstreams({ kind: "openai", wire: "openai-responses" })[0]?.deployment.wires).toEqual(["openai-responses"]);
    expect(() => upstreams({ kind: "openai", wire: "gemini" })).toThrow(
      'upstreams.here.wire: "gemini" is not supported; choose one of openai-responses, openai-chat',
    );
  });

  it("sends the simulator a placeholder key if the client has none", () => {
    const auths = upstreams({ kind: "simulator" }, "http://127.0.0.1:9").map(({ auth }) => auth);
    expect(auths.every((auth) => auth.kind === "client" && auth.otherwise === "longhaul")).toBe(true);
    expect(auths.length).toBeGreaterThan(0);
  });

  it("makes none for the simulator if it does not run", () => {
    expect(upstreams({ kind: "simulator" })).toEqual([]);
  });

  it.each([
    [{ kind: "bedrock", accessKeyId: "i", secretAccessKey: "s" }, "upstreams.here.region"],
    [{ kind: "bedrock", region: "r" }, "upstreams.here.accessKeyId"],
    [{ kind: "vertex", region: "r" }, "upstreams.here.project"],
    [{ kind: "openai-compatible" }, "upstreams.here.baseUrl"],
    [{ kind: "vertex", region: "r", project: "p", credentialsFile: "/no/such/file" }, "cannot be read"],
  ])("names the settings that %o lacks", (fields, message) => {
    expect(() => upstreams(fields)).toThrow(
      expect.objectContaining({ code: "settings.invalid", message: expect.stringContaining(message) }),
    );
  });
});
