export * from "./deployments.ts";
export * from "./headers.ts";
export * from "./network.ts";
export * from "./upstream.ts";
