// Writes the pages with each published library's exports: packages/*/API.md.
import { readFileSync, writeFileSync } from "node:fs";
import { LIBRARIES, libraryPage } from "./api-page.ts";

const root = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

for (const name of LIBRARIES) writeFileSync(new URL(`packages/${name}/API.md`, root), libraryPage(name, read));
