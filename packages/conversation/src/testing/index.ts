export * from "./any-block.ts";
export * from "./any-conversation.ts";
export * from "./any-messy-conversation.ts";
export * from "./any-text.ts";
export * from "./make.ts";
