export * from "./any-epoch.ts";
export * from "./epoch-operation.ts";
export * from "./make.ts";
export * from "./map-epochs.ts";
export * from "./map-settings.ts";
export * from "./settings-operation.ts";
