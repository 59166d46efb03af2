import { table } from "@longhaul/conversation";
import { anthropicPath, bedrockPath, geminiPath, openaiPath, vertexClaudePath, vertexGeminiPath } from "./paths.ts";
import { bedrockBody, vertexBody } from "./shape-body.ts";
import type { Deployment } from "./upstream.ts";

/** The kinds of place that are known. */
export const DEPLOYMENTS = table({
  anthropic: {
    vendor: "anthropic",
    platform: "anthropic",
    wires: ["anthropic-messages"],
    baseUrl: "https://api.anthropic.com",
    keyHeader: "x-api-key",
    path: anthropicPath,
  },
  openai: {
    vendor: "openai",
    platform: "openai",
    wires: ["openai-responses", "openai-chat"],
    baseUrl: "https://api.openai.com/v1",
    keyHeader: "authorization",
    path: openaiPath,
  },
  "openai-compatible": {
    vendor: "openai-compatible",
    platform: "other",
    wires: ["openai-chat"],
    baseUrl: "http://127.0.0.1:8000/v1",
    keyHeader: "authorization",
    path: openaiPath,
  },
  gemini: {
    vendor: "google",
    platform: "google",
    wires: ["gemini"],
    baseUrl: "https://generativelanguage.googleapis.com",
    keyHeader: "x-goog-api-key",
    path: geminiPath,
  },
  openrouter: {
    vendor: "openrouter",
    platform: "openrouter",
    wires: ["openai-chat"],
    baseUrl: "https://openrouter.ai/api/v1",
    keyHeader: "authorization",
    path: openaiPath,
  },
  bedrock: {
    vendor: "anthropic",
    platform: "bedrock",
    wires: ["anthropic-messages"],
    baseUrl: "https://bedrock-runtime.{region}.amazonaws.com",
    keyHeader: "authorization",
    path: bedrockPath,
    shapeBody: bedrockBody,
    frames: "aws-event-stream",
  },
  "vertex-claude": {
    vendor: "anthropic",
    platform: "vertex",
    wires: ["anthropic-messages"],
    baseUrl: "https://{region}-aiplatform.googleapis.com/v1/projects/{project}/locations/{region}",
    keyHeader: "authorization",
    path: vertexClaudePath,
    shapeBody: vertexBody,
  },
  "vertex-gemini": {
    vendor: "google",
    platform: "vertex",
    wires: ["gemini"],
    baseUrl: "https://{region}-aiplatform.googleapis.com/v1/projects/{project}/locations/{region}",
    keyHeader: "authorization",
    path: vertexGeminiPath,
  },
} as const satisfies Readonly<Record<string, Deployment>>);

/** The name of a kind of place. */
export type DeploymentKind = keyof typeof DEPLOYMENTS;
