export { everyDamage } from "./any-damage.ts";
export { FORMATS, type Format } from "./formats.ts";
export { EMPTY_STYLES, setEmptyReplyFields } from "./optional-fields.ts";
export { readEvents, runStream } from "./stream.ts";
