export { makeMapLeases } from "./describe-coordination.ts";
export * from "./make.ts";
export * from "./map-epochs.ts";
export * from "./postgres.ts";
export { makePostgresDatabases, sharedPostgres } from "./shared-postgres.ts";
