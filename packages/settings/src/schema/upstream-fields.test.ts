import { UPSTREAM_KIND_NAMES } from "@longhaul/models/kinds";
import { expect, it } from "vitest";
import { upstreamFields } from "./upstream-fields.ts";

const COMMON = ["window", "headers", "timeouts", "eventLimitMiB", "maxRetries"];

it.each([
  ["anthropic", ["kind", "baseUrl", "apiKey", "blockedBetas"]],
  ["openai", ["kind", "baseUrl", "apiKey", "wire"]],
  ["openai-compatible", ["kind", "baseUrl", "apiKey", "wire"]],
  ["gemini", ["kind", "baseUrl", "apiKey"]],
  ["bedrock", ["kind", "baseUrl", "region", "accessKeyId", "secretAccessKey", "sessionToken", "blockedBetas"]],
  ["vertex", ["kind", "baseUrl", "region", "project", "credentialsFile", "blockedBetas"]],
  ["simulator", ["kind", "blockedBetas", "saysSimulated"]],
] as const)("lists the fields of %s", (kind, own) => {
  expect(upstreamFields(kind).filter((name) => !COMMON.includes(name))).toEqual(own);
});

it.each(UPSTREAM_KIND_NAMES)("lists the fields that all kinds share for %s", (kind) => {
  expect(upstreamFields(kind)).toEqual(expect.arrayContaining(COMMON));
});
