export * from "./deployments.ts";
export * from "./headers.ts";
export * from "./network.ts";
export { encodeSegment } from "./paths.ts";
export { UNPACKERS } from "./unpack.ts";
export * from "./upstream.ts";
