// Unpacks Chromium into TMPDIR and prints its path and environment as JSON. It is a separate program, because the Chromium package reads
// the environment when it is imported.
import chromium from "@sparticuz/chromium";

const executablePath = await chromium.executablePath();
const { LD_LIBRARY_PATH = "", FONTCONFIG_PATH = "" } = process.env;
process.stdout.write(JSON.stringify({ executablePath, env: { LD_LIBRARY_PATH, FONTCONFIG_PATH } }));
