// Unpacks Chromium into the folder that TMPDIR names, and tells on one line of JSON how it is started. Its package looks at the environment
// while it is imported, so this is a program of its own.
import chromium from "@sparticuz/chromium";

const executablePath = await chromium.executablePath();
const { LD_LIBRARY_PATH = "", FONTCONFIG_PATH = "" } = process.env;
process.stdout.write(JSON.stringify({ executablePath, env: { LD_LIBRARY_PATH, FONTCONFIG_PATH } }));
