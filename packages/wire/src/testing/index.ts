export { FORMATS, type Format } from "./formats.ts";
