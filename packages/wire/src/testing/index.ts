export { everyDamage } from "./any-damage.ts";
export { FORMATS, type Format } from "./formats.ts";
export { respellReply, SPELLINGS } from "./optional-fields.ts";
export { readEvents, runStream } from "./stream.ts";
