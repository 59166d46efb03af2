/**
 * The file that npm puts on the path. Node keeps what it compiled, which saves later starts a part of their time. An older Node than
 * `engines` asks for says so, instead of failing somewhere in the middle: npm only warns of it.
 */
export function startFile(engines: string): string {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines) ?? [];
  if (major === undefined || minor === undefined) throw new Error(`engines.node: ${engines} is not >=major.minor`);
  return `#!/usr/bin/env node
import module from "node:module";
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) {
  module.enableCompileCache();
  await import("./main.js");
} else {
  console.error(\`longhaul: this is Node \${process.versions.node}, and Longhaul needs ${major}.${minor} or newer; install that, then run the command again\`);
  process.exitCode = 1;
}
`;
}
