export * from "./events.ts";
export * from "./keys.ts";
export * from "./presets.ts";
export * from "./previews.ts";
export * from "./sections.ts";
export * from "./settings.ts";
export * from "./status.ts";
export * from "./strategies.ts";
