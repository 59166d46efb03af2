import type { UpstreamKind } from "./upstream-kind.ts";

/** Claude on Amazon Bedrock. */
export const BEDROCK: UpstreamKind = {
  deployments: [
    {
      api: "bedrock",
      vendor: "anthropic",
      platform: "bedrock",
      telemetryName: "aws.bedrock",
      wires: ["anthropic-messages"],
      baseUrl: "https://bedrock-runtime.{region}.amazonaws.com",
      keyHeader: "authorization",
      frames: "aws-event-stream",
      quirks: { lacksThreads: true, hasStreamInPath: true },
    },
  ],
  auth: "aws",
  needs: ["accessKeyId", "secretAccessKey", "region"],
  environment: {
    variables: {
      accessKeyId: "AWS_ACCESS_KEY_ID",
      secretAccessKey: "AWS_SECRET_ACCESS_KEY",
      sessionToken: "AWS_SESSION_TOKEN",
      region: "AWS_REGION",
    },
    needs: ["accessKeyId", "secretAccessKey", "region"],
    models: ["*anthropic.claude-*", "claude-*"],
  },
  importedNames: ["bedrock"],
};
