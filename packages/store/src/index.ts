export { openStore, type StoreOptions } from "./sqlite/open-store.ts";
export * from "./store.ts";
