import { redactLookalikes } from "@longhaul/fit";
import { parseConfig } from "@longhaul/settings";
import { describe, expect, it } from "vitest";
import { hideAddresses, makeRedactor, redactAlso, redactBytes, secretsIn } from "./redact.ts";

describe("secretsIn", () => {
  it("finds every credential of a configuration, once", () => {
    const config = parseConfig(
      {
        upstreams: {
          a: { kind: "anthropic", apiKey: "first-key", headers: { "x-token": "header-token", "x-a": "1" } },
          b: { kind: "openai", apiKey: "first-key" },
          c: {
            kind: "bedrock",
            region: "r",
            accessKeyId: "access-id",
            secretAccessKey: "secret-id",
            sessionToken: "session-id",
          },
        },
      },
      {},
    );
    expect(secretsIn(config)).toEqual(["first-key", "header-token", "access-id", "secret-id", "session-id"]);
  });
});

describe("secretsIn with URLs and tokens", () => {
  it("finds the admin token", () => {
    const config = parseConfig({ server: { adminToken: "admin-token-of-some-length-0123456789" } }, {});
    expect(secretsIn(config)).toEqual(["admin-token-of-some-length-0123456789"]);
  });

  it("finds the webhook of alerts and its secret", () => {
    const alerts = { webhook: "https://hooks.example.com/T0/secret", webhookSecret: "a-secret-of-the-webhook" };
    expect(secretsIn(parseConfig({ alerts }, {}))).toEqual([alerts.webhook, alerts.webhookSecret]);
  });

  it("finds passwords, encoded and decoded", () => {
    const config = parseConfig(
      {
        upstreams: { a: { kind: "openai-compatible", baseUrl: "https://me:base%2Fword-1@host/v1" } },
        store: { url: "postgres://me:store-word@host/db" },
        telemetry: { otlpEndpoint: "http://me:otlp%zzword@host", otlpHeaders: { authorization: "Bearer token-1" } },
      },
      {},
    );
    expect(secretsIn(config).sort()).toEqual(
      ["Bearer token-1", "base%2Fword-1", "base/word-1", "otlp%zzword", "store-word"].sort(),
    );
  });
});

describe("makeRedactor", () => {
  it("redacts credentials, also if one is a prefix of another, and with JSON escapes", () => {
    const redact = makeRedactor(["abcdefgh", "abcdefgh-2", 'quo"ted-key']);
    expect(redact('abcdefgh abcdefgh-2 "quo\\"ted-key" quo"ted-key')).toBe(
      '[redacted] [redacted] "[redacted]" [redacted]',
    );
    expect(redact("nothing here")).toBe("nothing here");
  });
});

describe("redactAlso", () => {
  const redact = makeRedactor(["our-secret"]);

  it("also redacts the client's credentials", () => {
    const headers = { authorization: "Bearer client-bearer", "x-api-key": "client-key", "x-other": "harmless-word" };
    expect(redactAlso(redact, headers)("our-secret client-key client-bearer harmless-word")).toBe(
      "[redacted] [redacted] [redacted] harmless-word",
    );
  });

  it("keeps words that are too short for a credential", () => {
    expect(redactAlso(redact, { "x-api-key": "any" })("any our-secret")).toBe("any [redacted]");
    expect(redactAlso(redact, {})("any our-secret")).toBe("any [redacted]");
  });
});

describe("redactBytes", () => {
  const redact = makeRedactor(["our-secret"]);

  it("keeps every other byte, also of invalid text", () => {
    const redacted = redactBytes(Buffer.from([0xff, ...Buffer.from("our-secret"), 0xfe, 0xc3, 0xa4]), redact);
    expect(redacted).toEqual(Buffer.from([0xff, ...Buffer.from("[redacted]"), 0xfe, 0xc3, 0xa4]));
  });

  it("returns the identical bytes without a secret", () => {
    const bytes = Buffer.from("nothing");
    expect(redactBytes(bytes, redact)).toBe(bytes);
  });
});

describe("redactLookalikes", () => {
  it.each([
    "sk-ant-api03-abcDEF_123",
    "AIzaSyA1234567890abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "Bearer abc.def-1",
    "ya29.a0AfB_x",
    `lh_${"aB3".repeat(14)}x`,
  ])("redacts %s", (secret) => {
    expect(redactLookalikes(`key "${secret}" is wrong`)).toBe('key "[redacted]" is wrong');
  });

  it("keeps ordinary words", () => {
    const text = "the task-list of claude-sk-model asks for a bearer";
    expect(redactLookalikes(text)).toBe(text);
  });
});

describe("hideAddresses", () => {
  const hide = (text: string) => hideAddresses(text, "https://llm.example.com:8443/v1");

  it.each([
    ["connect ECONNREFUSED 127.0.0.1:8000", "connect ECONNREFUSED [upstream]"],
    ["at http://10.1.2.3/v1/models.", "at [upstream]/v1/models."],
    ["172.20.0.9:80 or 192.168.0.1 or 169.254.169.254", "[upstream] or [upstream] or [upstream]"],
    ["[::1]:80, [fd00::7]", "[upstream], [upstream]"],
    ["lookup vllm-7.ns.svc.cluster.local: no such host", "lookup [upstream]: no such host"],
    ["localhost:11434 is down", "[upstream] is down"],
    ["https://llm.example.com:8443/v1 and llm.example.com", "[upstream]/v1 and [upstream]"],
  ])("hides the address in %j", (text, expected) => {
    expect(hide(text)).toBe(expected);
  });

  it.each([
    "See https://platform.openai.com/account/api-keys.",
    "prompt is too long: 10.000 tokens > 127.000 maximum",
    "version 10.1.2.3.4-beta, local.variable, 8.8.8.8",
  ])("keeps %j", (text) => {
    expect(hide(text)).toBe(text);
  });
});
